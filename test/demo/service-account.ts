import { writeFileSync } from 'node:fs';
import type { ClusterConfig } from '../../src/client/cluster-config.js';
import type { HttpCluster } from '../../src/client/http-cluster.js';

export interface Account {
  readonly namespace: string;
  readonly name: string;
}

/** Writes a kubeconfig for a ServiceAccount that is there, with a token that the cluster gives for it. */
export async function writeAccountKubeconfig(
  file: string,
  cluster: HttpCluster,
  config: ClusterConfig,
  { namespace, name }: Account,
): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
  const { status } = (await cluster.request('POST', path, {
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 24 * 60 * 60 } },
  })) as { readonly status: { readonly token: string } };
  const { ca, servername, rejectUnauthorized } = await config.tls();
  const server = {
    server: config.server,
    ...(ca === undefined ? {} : { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
    ...(servername === undefined ? {} : { 'tls-server-name': servername }),
    ...(rejectUnauthorized === false ? { 'insecure-skip-tls-verify': true } : {}),
    ...(config.proxyUrl === undefined ? {} : { 'proxy-url': config.proxyUrl }),
  };
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'story', cluster: server }],
    users: [{ name: 'story', user: { token: status.token } }],
    contexts: [{ name: 'story', context: { cluster: 'story', user: 'story', namespace } }],
    'current-context': 'story',
  };
  writeFileSync(file, JSON.stringify(kubeconfig), { mode: 0o600 });
}
