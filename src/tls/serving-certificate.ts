import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Clock } from '../kube/clock.js';
import { OperatorError } from '../kube/errors.js';
import { type ServingPair, selfSigned } from './self-signed.js';
import { spareMilliseconds, usualMilliseconds } from './validity.js';

export interface ServingCertificateOptions {
  readonly clock: Clock;
  /** Paths. Absent: the certificate vouches for itself, and is made here. */
  readonly files?: { readonly cert: string; readonly key: string } | undefined;
  /** DNS names and addresses of the server, for a certificate that is made here. */
  readonly names: readonly string[];
  /** The common name of such a one. */
  readonly subject: string;
}

/** As often as controller-runtime looks. */
const everyMilliseconds = 10_000;

/** What became of a look at the files. */
export interface Reloads {
  changed(pair: ServingPair): void;
  /** The files cannot be served; the pair before stays. Told once for each state of the files. */
  failed(error: Error): void;
}

/**
 * The certificate that a server shows now: from files, read again when they change, or made here and replaced in time.
 *
 * **Guarantees.** A pair that does not fit together, as it can be found in the middle of a rotation, is never handed out.
 */
export class ServingCertificate {
  #pair: ServingPair;
  /** What the files looked like when they were last judged. */
  #stamp: string;
  /** The state of the files in which they could not be read. */
  #failedAt: string | undefined;
  #expires: number;

  private constructor(
    private readonly options: ServingCertificateOptions,
    { pair, stamp, expires }: Found,
  ) {
    this.#pair = pair;
    this.#stamp = stamp;
    this.#expires = expires;
  }

  /** Throws `OperatorError` when the files cannot be served. */
  static async open(options: ServingCertificateOptions): Promise<ServingCertificate> {
    const found = options.files ? await read(options.files) : make(options);
    return new ServingCertificate(options, found);
  }

  get pair(): ServingPair {
    return this.#pair;
  }

  /** Looks for changes until `signal` aborts. */
  watch(signal: AbortSignal, reloads: Reloads): void {
    let cancel = () => {};
    const next = (): void => {
      cancel = this.options.clock.after(everyMilliseconds, () => {
        this.#look(reloads)
          .catch((error: Error) => reloads.failed(error))
          .finally(() => {
            if (!signal.aborted) next();
          });
      });
    };
    next();
    signal.addEventListener('abort', () => cancel(), { once: true });
  }

  async #look({ changed }: Reloads): Promise<void> {
    const { files, clock } = this.options;
    let found: Found;
    if (files) {
      // A file that is gone is a state, too, of which is told once.
      const stamp = await stampOf(files).catch((error: NodeJS.ErrnoException) => `${error.code}`);
      if (stamp === this.#stamp) return;
      try {
        found = await read(files);
      } catch (error) {
        // Tried again, since what it was may be over and the files the same, and told once.
        if (stamp === this.#failedAt) return;
        this.#failedAt = stamp;
        throw error;
      }
    } else {
      if (clock.now() < this.#expires - spareMilliseconds) return;
      found = make(this.options);
    }
    this.#pair = found.pair;
    this.#stamp = found.stamp;
    this.#failedAt = undefined;
    this.#expires = found.expires;
    changed(found.pair);
  }
}

interface Found {
  readonly pair: ServingPair;
  readonly stamp: string;
  readonly expires: number;
}

function make({ clock, names, subject }: ServingCertificateOptions): Found {
  const pair = selfSigned({ subject, names, now: clock.now(), validMilliseconds: usualMilliseconds });
  return { pair, stamp: '', expires: clock.now() + usualMilliseconds };
}

async function read(files: { readonly cert: string; readonly key: string }): Promise<Found> {
  const subject = `reading the certificate ${files.cert} with its key ${files.key} failed`;
  try {
    // Stamped before it is read: what changes in between is read again.
    const stamp = await stampOf(files);
    const [cert, key] = await Promise.all([readFile(files.cert, 'utf8'), readFile(files.key, 'utf8')]);
    const parsed = new X509Certificate(cert);
    if (!parsed.checkPrivateKey(createPrivateKey(key))) {
      throw new OperatorError(`${subject}: they do not belong together`, {
        hint: 'both must come from one request for a certificate; in the middle of a rotation they soon will',
      });
    }
    // What a server would refuse, of the chain and of weak keys as well, is refused here, where it has a name.
    createSecureContext({ cert, key });
    return { pair: { cert, key }, stamp, expires: Date.parse(parsed.validTo) };
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause;
    // What OpenSSL says of a key that it cannot read never holds any of it.
    throw new OperatorError(`${subject}: ${(cause as Error).message}`, {
      cause,
      hint: 'both files must be PEM, and readable by the user that this process runs as',
    });
  }
}

async function stampOf({ cert, key }: { readonly cert: string; readonly key: string }): Promise<string> {
  const stats = await Promise.all([stat(cert), stat(key)]);
  return stats.map(({ ino, mtimeMs, size }) => `${ino} ${mtimeMs} ${size}`).join(', ');
}
