import { readFile } from 'node:fs/promises';
import type { KubeconfigContext } from './kubeconfig-context.js';
import { fieldsOf, text } from './kubeconfig-files.js';

/** What a plugin is told of a cluster, under the names of the API. */
export type ClusterInfo = Readonly<Record<string, unknown>>;

const told = [
  'server',
  'tls-server-name',
  'insecure-skip-tls-verify',
  'certificate-authority-data',
  'proxy-url',
  'disable-compression',
] as const;
const ofPlugins = 'client.authentication.k8s.io/exec';

/**
 * The cluster of a context, as a plugin is told of it that asks for it by `provideClusterInfo`.
 * https://kubernetes.io/docs/reference/config-api/client-authentication.v1/#client-authentication-k8s-io-v1-Cluster
 */
export async function clusterInfoOf({ cluster }: KubeconfigContext): Promise<ClusterInfo> {
  const known = told.flatMap((name) => (cluster[name] === undefined ? [] : [[name, cluster[name]] as const]));
  const file = text(cluster['certificate-authority']);
  // Nothing in it is as good as none, as with kubectl.
  const isInFile = file !== undefined && text(cluster['certificate-authority-data']) === undefined;
  const { extensions } = cluster;
  const config = (Array.isArray(extensions) ? extensions.map(fieldsOf) : []).find(({ name }) => name === ofPlugins);
  return {
    ...Object.fromEntries(known),
    ...(isInFile && { 'certificate-authority-data': (await readFile(file)).toString('base64') }),
    ...(config && { config: config['extension'] }),
  };
}
