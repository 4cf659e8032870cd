import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { packageRoot } from '../../cluster/package-root.js';

/** What V8 does when it is told of a flag shows in a process alone. */
async function told(v8: string | undefined): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import './src/runtime/process/quick-compilers.ts'; import { optimizeLate, optimizeNow } from './src/runtime/process/optimize-late.ts'; optimizeLate(${JSON.stringify(v8)}); optimizeNow(${JSON.stringify(v8)});`,
      resolveDir: packageRoot,
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  });
  const program = outputFiles[0]?.text ?? '';
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    cwd: join(packageRoot, 'test'),
  });
  return stdout + stderr;
}

describe('a V8 that is to optimize late, and then at once', () => {
  it('takes what it is told without a word', async () => {
    expect(await told(undefined)).toBe('');
  });

  it.each(['12.4.254.21-node.57', '13.6.233.17-node.50'])('is left as it comes: %s', async (v8) => {
    expect(await told(v8)).toBe('');
  });
});
