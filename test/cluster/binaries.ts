import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { buildBinaries } from './build-binaries.js';
import { kubernetesVersion } from './kubernetes-version.js';
import { packageRoot } from './package-root.js';

export const binaryNames = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kubectl'] as const;

/** There is no control plane on this machine, and no Go to build one with. */
export class NoBinariesError extends Error {
  override readonly name = 'NoBinariesError';
}

/**
 * The folder that holds the binaries of the control plane: what `KUBEBUILDER_ASSETS` names, else the user's cache, else
 * built with Go into that cache, which takes about five minutes once. Throws `NoBinariesError` when Go is needed and
 * not there.
 */
export async function findBinaries(progress: (line: string) => void = () => {}): Promise<string> {
  const named = process.env['KUBEBUILDER_ASSETS'];
  if (named) {
    const missing = binaryNames.filter((name) => !existsSync(join(named, name)));
    if (missing.length > 0) {
      throw new Error(
        `KUBEBUILDER_ASSETS names ${named}, where there is no ${missing.join(', ')}: unset it to build them with Go`,
      );
    }
    return named;
  }
  const cached = cacheFolder();
  if (binaryNames.every((name) => existsSync(join(cached, name)))) return cached;
  if (!hasGo()) {
    throw new NoBinariesError(
      'no control plane for the tests: install Go 1.26, or set KUBEBUILDER_ASSETS to a folder with ' +
        binaryNames.join(', '),
    );
  }
  await buildBinaries(cached, progress);
  return cached;
}

/** One folder for each content of the module files, so that a change of version builds anew and a change back does not. */
function cacheFolder(): string {
  const hash = createHash('sha256');
  for (const module of ['kubernetes', 'etcd']) {
    for (const file of ['go.mod', 'go.sum'])
      hash.update(readFileSync(join(packageRoot, 'test/cluster/modules', module, file)));
  }
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const name = `${kubernetesVersion}-${process.platform}-${process.arch}-${hash.digest('hex').slice(0, 12)}`;
  return join(cache, 'kilter', 'control-plane', name);
}

function hasGo(): boolean {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
