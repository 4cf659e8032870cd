import { kubeConfig } from '../../../src/client/kube-config.js';
import { startControlPlane } from '../../cluster/control-plane.js';
import type { Door } from '../story-cluster.js';

/** A new control plane of Kubernetes' own programs, which are built where they are missing. */
export const real: Door = {
  title: 'Starting a Kubernetes control plane',
  async open(_, progress) {
    const plane = await startControlPlane({ controllerManager: true, progress });
    return {
      where: `at ${plane.url}`,
      config: await kubeConfig({ path: plane.kubeconfig }),
      setup: [`export KUBECONFIG=${plane.kubeconfig}`, `export PATH=${plane.binaries}:$PATH`],
      close: () => plane.stop(),
    };
  },
};
