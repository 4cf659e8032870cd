import { readFile } from 'node:fs/promises';
import type { ClusterConfig, TlsOptions } from './cluster-config.js';
import { contextOf, type KubeconfigContext } from './kubeconfig-context.js';
import { defaultKubeconfig, readKubeconfig, readKubeconfigs, text } from './kubeconfig-files.js';
import { plainKubeconfig } from './plain-kubeconfig.js';

/** The environment of a process, of which what is read has a name where it is read. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A token of an exec plugin is good for at least this long before it is asked for again without a stated expiry. */
const credentialSeconds = 30;

/**
 * The credentials of a kubeconfig: contexts, client certificates, tokens and token files, exec plugins and proxies, as
 * kubectl reads them. Loads @kubernetes/client-node only for what is not in the file itself.
 *
 * Throws `OperatorError` when a file cannot be read or has no such context.
 */
export async function kubeConfig({
  path,
  context: wanted,
  environment = {},
}: {
  /** One file. Absent: the files of `KUBECONFIG`, or else `~/.kube/config`. */
  readonly path?: string | undefined;
  readonly context?: string | undefined;
  readonly environment?: Environment;
} = {}): Promise<ClusterConfig> {
  const { KUBECONFIG, HOME } = environment;
  const kubeconfig =
    path === undefined && KUBECONFIG
      ? await readKubeconfigs(KUBECONFIG)
      : await readKubeconfig(path ?? defaultKubeconfig(HOME));
  const context = contextOf(kubeconfig, wanted);
  return plainKubeconfig(context) ?? libraryConfig(context);
}

async function libraryConfig(context: KubeconfigContext): Promise<ClusterConfig> {
  const { name, namespace, server, cluster, user } = context;
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
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
  const proxyUrl = text(cluster['proxy-url']);
  const credentials = new Credentials(async () => {
    const options: Parameters<typeof config.applyToHTTPSOptions>[0] = {};
    await config.applyToHTTPSOptions(options);
    const headers = options.headers as Record<string, string> | undefined;
    const authorization = headers?.['Authorization'] ?? headers?.['authorization'];
    const basic =
      typeof options.auth === 'string' ? `Basic ${Buffer.from(options.auth).toString('base64')}` : undefined;
    const pem = (value: unknown) => (value === undefined || value === null ? undefined : String(value));
    const [ca, cert, key] = [pem(options.ca), pem(options.cert), pem(options.key)];
    return {
      authorization:
        tokenFile === undefined ? (authorization ?? basic) : `Bearer ${(await readFile(tokenFile, 'utf8')).trim()}`,
      tls: {
        ...(ca === undefined ? {} : { ca }),
        ...(cert === undefined ? {} : { cert }),
        ...(key === undefined ? {} : { key }),
        ...(typeof options.servername === 'string' ? { servername: options.servername } : {}),
        ...(cluster['insecure-skip-tls-verify'] === true ? { rejectUnauthorized: false } : {}),
      },
    };
  });
  return {
    server,
    namespace,
    tls: async () => (await credentials.read()).tls,
    authorization: async ({ refresh = false } = {}) => (await credentials.read(refresh)).authorization,
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
    context: name,
  };
}

interface Credential {
  readonly authorization: string | undefined;
  readonly tls: TlsOptions;
}

/** Asks once for all who wait, and again after a while: an exec plugin is a process, and a token file may rotate. */
class Credentials {
  #known: Credential | undefined;
  #asking: Promise<Credential> | undefined;
  #askedAt = 0;

  constructor(private readonly ask: () => Promise<Credential>) {}

  async read(refresh = false): Promise<Credential> {
    const fresh = performance.now() - this.#askedAt < credentialSeconds * 1000;
    if (this.#known && fresh && !refresh) return this.#known;
    this.#asking ??= this.ask()
      .then((credential) => {
        // The same certificates must be the same value, or connections would be made anew each time.
        const same = JSON.stringify(this.#known?.tls) === JSON.stringify(credential.tls);
        this.#known = same && this.#known ? { ...credential, tls: this.#known.tls } : credential;
        this.#askedAt = performance.now();
        return this.#known;
      })
      .finally(() => {
        this.#asking = undefined;
      });
    return this.#asking;
  }
}
