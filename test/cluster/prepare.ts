import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { reachableFrom } from '../source-imports.js';
import { findBinaries, NoBinariesError } from './binaries.js';
import { isCi, noCluster } from './no-cluster.js';
import { packageRoot } from './package-root.js';

/**
 * Finds or builds the control plane once, before any suite, so that no test waits for a compiler. Does nothing where no
 * suite that is about to run needs one. `isChosen` tells of the path of a suite whether it runs.
 */
export async function prepare(isChosen: (path: string) => boolean): Promise<void> {
  const finder = join(packageRoot, 'test/cluster/binaries.ts');
  if (
    !suites()
      .filter(isChosen)
      .some((suite) => reachableFrom(suite).has(finder))
  )
    return;
  try {
    process.env['KUBEBUILDER_ASSETS'] = await findBinaries((line) => process.stderr.write(`${line}\n`));
  } catch (error) {
    if (!(error instanceof NoBinariesError) || isCi()) throw error;
    noCluster.set();
    process.stderr.write(`Suites on a real API server are skipped: ${error.message}\n`);
  }
}

function suites(): string[] {
  const root = join(packageRoot, 'test');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => join(root, path));
}
