import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import type { ControlPlane } from '../cluster/control-plane.js';

/** A client with the rights of whoever runs the demo, apart from the controller's. */
export async function connectAsAdmin(plane: ControlPlane): Promise<HttpCluster> {
  return connect(await kubeConfig({ path: plane.kubeconfig }));
}
