import { execFile } from 'node:child_process';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from './cluster/package-root.js';

/** The path, in `folder`, of the bundle of the program `entry`, which is a path in the package. */
export async function bundledProgram(entry: string, folder: string): Promise<string> {
  const require = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
  await promisify(execFile)(join(packageRoot, 'node_modules/.bin/esbuild'), [
    join(packageRoot, entry),
    ...['--bundle', '--splitting', '--platform=node', '--format=esm', '--log-level=warning'],
    ...[`--outdir=${folder}`, '--out-extension:.js=.mjs', `--banner:js=${require}`],
    '--external:@kubernetes/client-node',
  ]);
  return join(folder, `${basename(entry, '.ts')}.mjs`);
}
