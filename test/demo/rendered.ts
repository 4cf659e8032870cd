import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { type RenderedManifest, readDist } from '../cluster/dist.js';
import { packageRoot } from '../cluster/package-root.js';

/** Renders `dist/`, or the folder that `CDK8S_OUTDIR` names, with the entry that `cdk8s synth` runs, and reads it back. */
export async function renderDist(program: string): Promise<readonly RenderedManifest[]> {
  await promisify(execFile)(process.execPath, [program], { cwd: packageRoot });
  return readDist(resolve(packageRoot, process.env['CDK8S_OUTDIR'] || 'dist'));
}
