import { OperatorError } from '../kube/errors.js';
import type { TlsOptions } from './cluster-config.js';
import { type Fields, type Kubeconfig, text } from './kubeconfig-files.js';

/** A context of a kubeconfig, with all that it names. */
export interface KubeconfigContext {
  readonly name: string;
  readonly namespace: string;
  readonly server: string;
  readonly cluster: Fields;
  /** Whoever connects, as errors name them. */
  readonly subject: string;
  /** Empty when nobody is named: then they show nothing. */
  readonly user: Fields;
}

/** The context of that name, or the current one. Throws `OperatorError` when it, or what it names, is not there. */
export function contextOf(kubeconfig: Kubeconfig, wanted: string | undefined): KubeconfigContext {
  const { files, currentContext, contexts, clusters, users } = kubeconfig;
  const name = wanted ?? currentContext;
  const context = name === undefined ? undefined : contexts.get(name);
  const failure = (problem: string) =>
    new OperatorError(`kubeconfig ${files.join(', ')} ${problem}`, {
      hint: `choose one of its contexts with --context: ${[...contexts.keys()].join(', ') || 'there are none'}`,
    });
  if (name === undefined) throw failure('has no current context');
  if (!context) throw failure(`has no context "${name}"`);

  const [clusterName, userName] = [text(context['cluster']), text(context['user'])];
  const cluster = clusterName === undefined ? undefined : clusters.get(clusterName);
  const server = text(cluster?.['server']);
  const user = userName === undefined ? {} : users.get(userName);
  if (!cluster || server === undefined) throw failure(`has no server for its context "${name}"`);
  if (!user) throw failure(`has no user "${userName}", whom its context "${name}" names`);
  const url = /^https?:\/\//i.test(server) ? server : `${schemeOf(cluster, user)}://${server}`;
  // As with kubectl, which takes a path for a slip where there is no scheme: of `ftp://host`, too.
  if (!URL.canParse(url) || (url !== server && new URL(url).pathname !== '/')) {
    throw failure(
      `has a server for its context "${name}" that is neither a URL of http or https nor a host with a port`,
    );
  }
  return {
    name,
    namespace: text(context['namespace']) ?? 'default',
    server: url.replace(/\/+$/, ''),
    cluster,
    subject: userName === undefined ? `context "${name}"` : `user "${userName}"`,
    user,
  };
}

/** For a server without one: TLS where anything is said of certificates, as with kubectl. */
function schemeOf(cluster: Fields, user: Fields): 'http' | 'https' {
  const ofCluster = ['certificate-authority', 'certificate-authority-data'].map((name) => text(cluster[name]));
  const ofUser = ['client-certificate', 'client-certificate-data'].map((name) => text(user[name]));
  const isSecure = [...ofCluster, ...ofUser].some((each) => each !== undefined);
  return isSecure || cluster['insecure-skip-tls-verify'] === true ? 'https' : 'http';
}

/** How to meet the server of a context, with what was found of certificates and of the server's name. */
export function tlsOf(
  { cluster }: KubeconfigContext,
  { ca, cert, key, servername }: { readonly [Name in 'ca' | 'cert' | 'key' | 'servername']: string | undefined },
): TlsOptions {
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(servername === undefined ? {} : { servername }),
    ...(cluster['insecure-skip-tls-verify'] === true ? { rejectUnauthorized: false } : {}),
  };
}
