import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { bundledProgram } from '../bundled-program.js';
import { packageRoot } from '../cluster/package-root.js';

it('what a listener of an informer throws keeps nobody from hearing, and is an uncaught exception of the program', async () => {
  const folder = mkdtempSync(join(packageRoot, 'build/listener-'));
  try {
    const program = await bundledProgram('test/typed-client/throwing-listener-program.ts', folder);
    const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 20_000 });
    expect(stdout.trim().split('\n').sort()).toEqual([
      'added one',
      'added two',
      'uncaught a mistake about one',
      'uncaught a mistake about two',
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
