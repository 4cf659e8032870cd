import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, systemClock } from '../kube/clock.js';
import { OperatorError } from '../kube/errors.js';
import type { ClusterConfig, TlsOptions } from './cluster-config.js';
import { areWhole } from './whole-certificates.js';

/** https://kubernetes.io/docs/tasks/run-application/access-api-from-pod/#directly-accessing-the-rest-api */
const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** How long a look at a file is good for: every call asks, and kubelets rotate within minutes. */
const lookMilliseconds = 1000;
/** For so long nobody waits for the next look: a kubelet rotates what is good for much longer. */
const heldMilliseconds = 60_000;

/**
 * The credentials that a Pod finds in its files. Token and CA are read again when their files change, so a rotation
 * needs no restart. Throws `OperatorError` when this is no Pod, or one without a token.
 */
export async function inClusterConfig({
  host,
  port,
  folder = serviceAccountFolder,
  clock = systemClock,
}: {
  /** `KUBERNETES_SERVICE_HOST`. */
  readonly host: string | undefined;
  /** `KUBERNETES_SERVICE_PORT`. */
  readonly port: string | undefined;
  readonly folder?: string;
  readonly clock?: Clock;
}): Promise<ClusterConfig> {
  if (!host || !port) {
    throw new OperatorError('in-cluster configuration failed: KUBERNETES_SERVICE_HOST and _PORT are not set', {
      hint: 'outside a cluster name a kubeconfig with --kubeconfig or KUBECONFIG',
    });
  }
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  if (!URL.canParse(server)) {
    const named = `KUBERNETES_SERVICE_HOST="${host}" and KUBERNETES_SERVICE_PORT="${port}"`;
    throw new OperatorError(`in-cluster configuration failed: ${named} are no address`, {
      hint: 'the kubelet sets both; leave them out of "env", or name a host and the number of a port',
    });
  }
  const authorization = new FileOnDemand(join(folder, 'token'), clock, (text) => `Bearer ${text.trim()}`);
  const caFile = join(folder, 'ca.crt');
  const ca = new FileOnDemand(caFile, clock, (text): TlsOptions => {
    // To connect by it anew would end the connections that there are.
    if (!areWhole({ ca: text })) throw new OperatorError(`${caFile} holds no certificate`);
    return { ca: text };
  });
  const namespace = new FileOnDemand(join(folder, 'namespace'), clock, (text) => text.trim());
  const name = await authorization
    .read()
    .then(() => namespace.read())
    .catch((cause: Error) => {
      throw new OperatorError(`in-cluster configuration failed: ${cause.message}`, {
        cause,
        hint: 'the account needs a token, which automountServiceAccountToken: false keeps from it',
      });
    });
  return {
    server,
    namespace: name,
    tls: () => ca.read(),
    authorization: ({ refused } = {}) => authorization.read(refused?.authorization),
  };
}

/**
 * A file's content, read again when the file is another one or was written.
 *
 * **Guarantees.** The same content is the same value, also for those who ask at the same time: a new value of the CA means
 * new connections. A file is looked at once a second at most, unless what is known of it was refused, and no call waits for
 * that when there was a look within a minute. What was read once is good until the server refuses it, as client-go has it:
 * https://github.com/kubernetes/client-go/blob/v0.36.0/transport/token_source.go
 */
class FileOnDemand<T> {
  #stamp = '';
  #text: string | undefined;
  #content: T | undefined;
  #looking: Promise<T> | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looks = 0;
  /** Which look found what is known. */
  #foundBy = 0;

  constructor(
    private readonly path: string,
    private readonly clock: Clock,
    private readonly parse: (text: string) => T,
  ) {}

  async read(refused?: T): Promise<T> {
    // Whoever was refused must not be handed what another look, begun before, has found.
    if (refused !== undefined && refused === this.#content) return this.#look(true);
    const age = this.clock.monotonic() - this.#lookedAt;
    if (this.#content !== undefined && age < lookMilliseconds) return this.#content;
    this.#looking ??= this.#look(false).finally(() => {
      this.#looking = undefined;
    });
    if (this.#content === undefined || age >= heldMilliseconds) return this.#looking;
    return this.#content;
  }

  /** Where it cannot be read, or is not whole as somebody writes it, what was there before holds until the next look, unless it was refused. */
  async #look(refresh: boolean): Promise<T> {
    try {
      return await this.#found(refresh);
    } catch (error) {
      if (refresh || this.#content === undefined) throw error;
      this.#lookedAt = this.clock.monotonic();
      return this.#content;
    }
  }

  async #found(refresh: boolean): Promise<T> {
    const order = ++this.#looks;
    const { ino, mtimeMs, size } = await stat(this.path);
    const stamp = `${ino} ${mtimeMs} ${size}`;
    if (refresh || stamp !== this.#stamp || this.#content === undefined) {
      const text = await readFile(this.path, 'utf8');
      // What was read before may well be what was refused since.
      if (order < this.#foundBy) return this.#content as T;
      if (text.trim() === '') throw new OperatorError(`${this.path} is empty`);
      // A kubelet writes all files of a volume anew when one of them changes.
      if (text !== this.#text) this.#content = this.parse(text);
      this.#foundBy = order;
      this.#text = text;
      this.#stamp = stamp;
    }
    this.#lookedAt = this.clock.monotonic();
    return this.#content as T;
  }
}
