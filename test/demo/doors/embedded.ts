import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kubeConfig } from '../../../src/client/kube-config.js';
import { startLocalCluster } from '../../../src/embedded/local-cluster.js';
import type { Door } from '../story-cluster.js';

/** A new cluster in this process. */
export const embedded: Door = {
  title: 'Starting the embedded API server',
  async open(folder) {
    const cluster = await startLocalCluster();
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 });
    return {
      where: `in this process, at ${cluster.url}`,
      config: await kubeConfig({ path: kubeconfig }),
      setup: [`export KUBECONFIG=${kubeconfig}`],
      close: () => cluster.close(),
    };
  },
};
