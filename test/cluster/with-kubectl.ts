import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { findBinaries } from './binaries.js';
import { type Kubectl, kubectlOf } from './kubectl.js';
import { noCluster } from './no-cluster.js';

/** What a suite gets: the real kubectl for a kubeconfig, and the folder of the binaries. For use in tests and hooks. */
export interface WithKubectl {
  kubectl(kubeconfig: string): Kubectl;
  readonly binaries: string;
}

/** A suite that runs the real kubectl on clusters of its own. Skipped, as those on a real API server, where there is none. */
export function withKubectl(title: string, body: (tools: WithKubectl) => void): void {
  const suite = noCluster.isSet ? describe.skip : describe;
  suite(title, () => {
    let binaries = '';
    let home = '';
    beforeAll(async () => {
      binaries = await findBinaries();
      home = mkdtempSync(join(tmpdir(), 'kilter-kubectl-'));
    });
    afterAll(() => rmSync(home, { recursive: true, force: true }));
    body({
      kubectl: (kubeconfig) =>
        kubectlOf(join(binaries, 'kubectl'), kubeconfig, { PATH: process.env['PATH'], HOME: home }),
      get binaries() {
        return binaries;
      },
    });
  });
}
