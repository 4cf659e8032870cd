import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../cluster/package-root.js';

/** What modules in a folder of its own import kilter from. */
export const kilterFromHere = '../../src/index.js';

/** What the compiler says about `files` under the strict rules of this package: nothing, when all is well. */
export async function compiled(files: Readonly<Record<string, string>>): Promise<string> {
  // Below the package, where they find cdk8s; and at the depth of `kilterFromHere`.
  mkdirSync(join(packageRoot, 'build'), { recursive: true });
  const folder = mkdtempSync(join(packageRoot, 'build/compile-test-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const compilerOptions = { rootDir: '../..', noEmit: true };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: '../../tsconfig.json', compilerOptions, include: ['*.ts'], exclude: [] }),
    );
    return await new Promise((resolve) => {
      execFile(join(packageRoot, 'node_modules/.bin/tsc'), ['-p', folder], (_, stdout, stderr) => {
        resolve(stdout + stderr);
      });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
