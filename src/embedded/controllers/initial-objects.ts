import { namespaces, services } from './built-in.js';
import type { Desk } from './controller.js';

const initial = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];
/** The first address of the range of Services is the API server's own. */
const apiServerAddress = '10.0.0.1';

/** Creates what every cluster has from its first moment, where it is not there. */
export function createInitialObjects({ index, writer }: Desk): void {
  for (const name of initial) {
    if (!index.get(namespaces, undefined, name)) writer.create(namespaces, undefined, { metadata: { name } });
  }
  if (!writer.serves(services) || index.get(services, 'default', 'kubernetes')) return;
  writer.create(services, 'default', {
    metadata: {
      name: 'kubernetes',
      namespace: 'default',
      labels: { component: 'apiserver', provider: 'kubernetes' },
    },
    spec: {
      clusterIP: apiServerAddress,
      clusterIPs: [apiServerAddress],
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }],
      sessionAffinity: 'None',
      type: 'ClusterIP',
    },
  });
}
