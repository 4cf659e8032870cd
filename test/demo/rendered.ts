import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type RenderedManifest, readDist } from '../cluster/dist.js';
import { packageRoot } from '../cluster/package-root.js';

/** Renders `dist/` with the entry that `cdk8s synth` runs, and reads it back. */
export async function renderDist(): Promise<readonly RenderedManifest[]> {
  await promisify(execFile)(process.execPath, [join(packageRoot, 'build/src/main.js')], { cwd: packageRoot });
  return readDist();
}
