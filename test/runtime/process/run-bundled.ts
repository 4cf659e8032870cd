import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { packageRoot } from '../../cluster/package-root.js';

/**
 * What `source`, which imports by paths from the package's root, writes as a process of its own: what V8 is told shows in one alone. Of
 * files it may have `mostFiles` open, if given.
 */
export async function runBundled(
  source: string,
  nodeFlags: readonly string[] = [],
  mostFiles?: number,
): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: packageRoot },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
  });
  const program = outputFiles[0]?.text ?? '';
  const limit = mostFiles === undefined ? '' : `ulimit -n ${mostFiles}; `;
  const { stdout, stderr } = await promisify(execFile)(
    '/bin/sh',
    ['-c', `${limit}exec "$0" "$@"`, process.execPath, ...nodeFlags, '--input-type=module', '-e', program],
    { cwd: join(packageRoot, 'test') },
  );
  return stdout + stderr;
}
