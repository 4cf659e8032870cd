import { readFile } from 'node:fs/promises';
import { type Clock, systemClock } from '../kube/clock.js';
import type { Environment } from '../kube/environment.js';
import { causeText, OperatorError } from '../kube/errors.js';
import type { ClusterConfig } from './cluster-config.js';
import { clusterInfoOf } from './cluster-info.js';
import { type Ask, type Credential, Credentials } from './credentials.js';
import { isGood, runExecPlugin } from './exec-plugin.js';
import { impersonationOf } from './impersonation.js';
import { contextOf, type KubeconfigContext, tlsOf } from './kubeconfig-context.js';
import {
  defaultKubeconfig,
  type Fields,
  fieldsOf,
  namedIn,
  readKubeconfig,
  readKubeconfigs,
  text,
} from './kubeconfig-files.js';
import { openKubeconfig } from './open-kubeconfig.js';
import { plainKubeconfig } from './plain-kubeconfig.js';
import { usableProxy } from './proxy.js';
import { areWhole } from './whole-certificates.js';

/**
 * The credentials of a kubeconfig: contexts, client certificates, tokens and token files, exec plugins and proxies, as kubectl
 * reads them. A server without TLS is shown no credentials, as by kubectl. Loads @kubernetes/client-node only for other files that
 * it names, for passwords and for OpenID Connect.
 *
 * A plugin is run, and a file is read, before this returns: a person who has to log in has five minutes for it, and no
 * call is waiting. Throws `OperatorError` when a file cannot be read or has no such context, and when there are no
 * credentials to be had, or it is unclear whom its user acts as.
 */
export async function kubeConfig({
  path,
  context: wanted,
  environment = {},
  clock = systemClock,
}: {
  /** One file. Absent: the files of `KUBECONFIG`, or else `~/.kube/config`. */
  readonly path?: string | undefined;
  readonly context?: string | undefined;
  /** Also what plugins run in. */
  readonly environment?: Environment;
  readonly clock?: Clock;
} = {}): Promise<ClusterConfig> {
  const { KUBECONFIG, HOME } = environment;
  const kubeconfig =
    path === undefined
      ? await readKubeconfigs(KUBECONFIG ? namedIn(KUBECONFIG) : [defaultKubeconfig(HOME)])
      : await readKubeconfig(path);
  const context = contextOf(kubeconfig, wanted);
  const headers = impersonationOf(context.user, context.subject);
  const config =
    openKubeconfig(context) ?? plainKubeconfig(context) ?? (await askedConfig(context, environment, clock));
  const proxyUrl = text(context.cluster['proxy-url']);
  return {
    ...config,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(proxyUrl === undefined ? {} : { proxyUrl: usableProxy(proxyUrl, `context "${context.name}"`) }),
  };
}

/** Of a context that names files, or somebody to be asked. */
async function askedConfig(context: KubeconfigContext, environment: Environment, clock: Clock): Promise<ClusterConfig> {
  const { name, namespace, server, subject, user } = context;
  const exec = user['exec'] ? fieldsOf(user['exec']) : undefined;
  const ofFiles = await filesOf(context);
  const ask: Ask = async ({ known, signal }) => {
    const last = known?.plugin;
    const run = async (plugin: Fields) => {
      const cluster = plugin['provideClusterInfo'] === true ? await clusterInfoOf(context) : undefined;
      return runExecPlugin(plugin, { environment, signal, clock, cluster });
    };
    const plugin = exec && (last && isGood(last, clock) ? last : await run(exec));
    const { authorization, tls: found } = await ofFiles(known);
    const { token, cert, key } = plugin ?? {};
    const tls = cert === undefined || key === undefined ? found : { ...found, cert, key };
    // To connect by them anew would end the connections that there are.
    if (known && JSON.stringify(tls) !== JSON.stringify(known.tls) && !areWhole(tls)) {
      throw new OperatorError('a certificate cannot be read, or is of another key');
    }
    return {
      // A token that the kubeconfig holds wins, as with kubectl.
      authorization: authorization ?? (token === undefined ? undefined : `Bearer ${token}`),
      tls,
      plugin,
    };
  };
  const hint = exec
    ? `run "${exec['command']}" by hand to see what it says, or choose another context with --context`
    : 'look at the files that the kubeconfig names for this user, or choose another context with --context';
  const credentials = new Credentials({ subject, hint, ask, clock });
  await credentials.read();
  return {
    server,
    namespace,
    tls: async () => (await credentials.read()).tls,
    authorization: async ({ refused } = {}) => (await credentials.read(refused)).authorization,
    context: name,
  };
}

/** The token in a file. While there is none in it somebody may be writing it: what is known holds, unless it was refused. */
async function tokenIn(file: string, known: string | undefined): Promise<string> {
  const token = (await readFile(file, 'utf8')).trim();
  if (token !== '') return `Bearer ${token}`;
  if (known === undefined) throw new Error(`${file} is empty`);
  return known;
}

/** What is in the files that the kubeconfig names, read anew each time, and what the library makes of the rest. */
async function filesOf(context: KubeconfigContext): Promise<(known: Credential | undefined) => Promise<Credential>> {
  const { name, server } = context;
  // Plugins are run by us: the library would keep what they gave though it was refused. And so are proxies asked.
  const { exec: _, ...user } = context.user;
  const { 'proxy-url': __, ...cluster } = context.cluster;
  const plain = plainKubeconfig({ ...context, user, cluster });
  if (plain) return async () => ({ authorization: await plain.authorization(), tls: await plain.tls() });
  const config = new (await library()).KubeConfig();
  // Of nothing but what was chosen: the rest is none of its business, and may be wrong.
  config.loadFromString(
    JSON.stringify({
      'current-context': name,
      contexts: [{ name, context: { cluster: name, user: name } }],
      clusters: [{ name, cluster: { ...cluster, server } }],
      users: [{ name, user }],
    }),
  );
  const tokenFile = text(user['tokenFile']);
  return async (known) => {
    const options: Parameters<typeof config.applyToHTTPSOptions>[0] = {};
    await config.applyToHTTPSOptions(options);
    const headers = options.headers as Record<string, string> | undefined;
    const authorization = headers?.['Authorization'] ?? headers?.['authorization'];
    const basic =
      typeof options.auth === 'string' ? `Basic ${Buffer.from(options.auth).toString('base64')}` : undefined;
    const pem = (value: unknown) => (value === undefined || value === null ? undefined : String(value));
    const servername = typeof options.servername === 'string' ? options.servername : undefined;
    return {
      // The library does not know it under the name that kubectl gives it.
      authorization:
        tokenFile === undefined ? (authorization ?? basic) : await tokenIn(tokenFile, known?.authorization),
      tls: tlsOf(context, { ca: pem(options.ca), cert: pem(options.cert), key: pem(options.key), servername }),
    };
  };
}

async function library(): Promise<typeof import('@kubernetes/client-node')> {
  try {
    return await import('@kubernetes/client-node');
  } catch (cause) {
    throw new OperatorError(
      `@kubernetes/client-node, which reads such a kubeconfig, cannot be loaded: ${causeText(cause)}`,
      {
        cause,
        hint: 'before Node 22.19 the undici that it asks for does not run: take a newer Node, or give it undici 7, by "overrides" in package.json, which pnpm has among its settings, and which Yarn calls "resolutions"',
      },
    );
  }
}
