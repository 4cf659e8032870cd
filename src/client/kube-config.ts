import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { OperatorError } from '../kube/errors.js';
import type { ClusterConfig, TlsOptions } from './cluster-config.js';
import { plainKubeconfig } from './plain-kubeconfig.js';

/** A token of an exec plugin is good for at least this long before it is asked for again without a stated expiry. */
const credentialSeconds = 30;

/**
 * The credentials of a kubeconfig: contexts, client certificates, tokens and token files, exec plugins and proxies, as
 * kubectl reads them. Loads @kubernetes/client-node only for what is not in the file itself.
 *
 * Throws `OperatorError` when the file cannot be read or has no such context.
 */
export async function kubeConfig({
  path,
  context,
}: {
  /** Absent: `KUBECONFIG`, then `~/.kube/config`; then a `tokenFile` in it is not read. */
  readonly path?: string | undefined;
  readonly context?: string | undefined;
} = {}): Promise<ClusterConfig> {
  const own = path === undefined ? undefined : await plainKubeconfig(path, context);
  if (own) return own;
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  try {
    if (path === undefined) config.loadFromDefault();
    else config.loadFromFile(path);
    if (context !== undefined) config.setCurrentContext(context);
  } catch (cause) {
    throw new OperatorError(
      `reading ${path === undefined ? 'the kubeconfig' : `kubeconfig ${path}`} failed: ${(cause as Error).message}`,
      {
        cause,
        hint: 'name another file with --kubeconfig or KUBECONFIG',
      },
    );
  }
  const cluster = config.getCurrentCluster();
  if (!cluster) {
    throw new OperatorError(`kubeconfig has no cluster for context "${config.getCurrentContext()}"`, {
      hint: `choose one of: ${
        config
          .getContexts()
          .map(({ name }) => name)
          .join(', ') || 'none there'
      }`,
    });
  }

  const tokenFile = path === undefined ? undefined : await tokenFileOf(path, config.getCurrentUser()?.name);
  const credentials = new Credentials(async () => {
    const options: Parameters<typeof config.applyToHTTPSOptions>[0] = {};
    await config.applyToHTTPSOptions(options);
    const headers = options.headers as Record<string, string> | undefined;
    const authorization = headers?.['Authorization'] ?? headers?.['authorization'];
    const basic =
      typeof options.auth === 'string' ? `Basic ${Buffer.from(options.auth).toString('base64')}` : undefined;
    const text = (value: unknown) => (value === undefined || value === null ? undefined : String(value));
    const [ca, cert, key] = [text(options.ca), text(options.cert), text(options.key)];
    return {
      authorization:
        tokenFile === undefined ? (authorization ?? basic) : `Bearer ${(await readFile(tokenFile, 'utf8')).trim()}`,
      tls: {
        ...(ca === undefined ? {} : { ca }),
        ...(cert === undefined ? {} : { cert }),
        ...(key === undefined ? {} : { key }),
        ...(typeof options.servername === 'string' ? { servername: options.servername } : {}),
        ...(cluster.skipTLSVerify ? { rejectUnauthorized: false } : {}),
      },
    };
  });
  return {
    server: cluster.server,
    namespace: config.getContextObject(config.getCurrentContext())?.namespace ?? 'default',
    tls: async () => (await credentials.read()).tls,
    authorization: async ({ refresh = false } = {}) => (await credentials.read(refresh)).authorization,
    ...(cluster.proxyUrl ? { proxyUrl: cluster.proxyUrl } : {}),
    context: config.getCurrentContext(),
  };
}

/** The `tokenFile` of a user, which client-node does not know under the name that kubectl gives it. */
async function tokenFileOf(path: string, user: string | undefined): Promise<string | undefined> {
  const { users = [] } = parse(await readFile(path, 'utf8')) as {
    users?: { name?: string; user?: { tokenFile?: string } }[];
  };
  const file = users.find(({ name }) => name === user)?.user?.tokenFile;
  return file === undefined ? undefined : resolve(dirname(path), file);
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
