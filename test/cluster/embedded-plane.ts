import { join } from 'node:path';
import { admin, EmbeddedServer } from '../../src/embedded/embedded-server.js';
import { serve } from '../../src/embedded/http/serve.js';
import type { AuditEvent } from './audit.js';
import { findBinaries } from './binaries.js';
import type { ControlPlane, ControlPlaneOptions } from './control-plane.js';
import { GuardedFolder } from './guarded-folder.js';
import { kubectlOf } from './kubectl.js';
import { recordingVerbs } from './recording-verbs.js';

const adminToken = 'admin';

/** The embedded API server behind its socket, as a control plane: the same suites run on it as on the real one. */
export async function startEmbeddedPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const binaries = await findBinaries(options.progress);
  const folder = new GuardedFolder();
  const server = new EmbeddedServer({
    tokens: { [adminToken]: { ...admin, name: 'admin' } },
    // As on the real one Pods stay Pending, for want of nodes.
    controllers: options.controllerManager ? { pods: false, scheduler: false, nodes: [] } : false,
  });
  const log: AuditEvent[] = [];
  const { verbs, kinds, clock, random, desk } = server;
  const http = await serve({ verbs: recordingVerbs(verbs, log), kinds, clock, random, desk });
  const kubeconfig = folder.write('admin.kubeconfig', http.kubeconfig(adminToken));
  const kubectl = kubectlOf(join(binaries, 'kubectl'), kubeconfig, folder.environment);

  const serviceAccountToken = async (namespace: string, name: string): Promise<string> => {
    await kubectl(['create', 'serviceaccount', name, '-n', namespace], { allowFailure: true });
    return (await kubectl(['create', 'token', name, '-n', namespace, '--duration=24h'])).stdout.trim();
  };
  return {
    url: http.url,
    ca: http.ca ?? '',
    adminToken,
    kubeconfig,
    version: 'v1.36.3',
    binaries,
    kubectl,
    serviceAccountToken,
    async serviceAccountKubeconfig(namespace, name) {
      const token = await serviceAccountToken(namespace, name);
      return folder.write(`${namespace}-${name}.kubeconfig`, http.kubeconfig(token, namespace));
    },
    audit: async () => [...log],
    async stop() {
      await http.close();
      server.stop();
      await folder.clear();
    },
  };
}
