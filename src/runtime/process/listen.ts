import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OperatorError } from '../../kube/errors.js';
import { boundConnections } from './bound-connections.js';

/** A server that listens. */
export interface Listening {
  /** `127.0.0.1:8081`, as clients reach it. */
  readonly address: string;
}

/**
 * How long a request may take to come. By itself Node looks each half a minute, and gives two minutes to a handshake. A connection that
 * nobody uses an API server ends after 90 s, and not we: a review that comes as we end it would be lost, and is not sent again.
 */
export const patience = {
  handshakeTimeout: 10_000,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 100_000,
  connectionsCheckingInterval: 5000,
};

const noneOfOurs = {
  because: 'it is no address of this machine',
  hint: 'leave out the host, as in :8081, to serve at all that it has',
};

/** What is wrong, by the code of the system, and what to do. */
const refusals: Readonly<Record<string, { readonly because: string; readonly hint: string }>> = {
  EADDRINUSE: { because: 'the port is in use', hint: 'choose another port' },
  EACCES: { because: 'the port is none for this user', hint: 'choose one from 1024 on' },
  EADDRNOTAVAIL: noneOfOurs,
  ENOTFOUND: noneOfOurs,
};

/**
 * Listens at an address such as `:8081` until `signal` aborts, and `end` ends it: by default at once, whoever is connected.
 * Throws `OperatorError` when that cannot be. Of very many connections it ends the idlest. The server keeps no process alive,
 * and connections to it none that was told to stop.
 */
export async function listen(
  server: Server,
  what: string,
  address: string,
  signal: AbortSignal,
  end: () => void = () => endAtOnce(server),
): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const { because = cause.message, hint } = refusals[cause.code ?? ''] ?? {};
      // Of webhooks there is a port, and no address.
      const none = what === 'webhooks' ? '--webhooks=false' : '0';
      reject(
        new OperatorError(`serving ${what} at ${address} failed: ${because}`, {
          cause,
          hint: hint && `${hint}, or ${none} to serve nothing`,
        }),
      );
    });
    server.listen(listenOptions(address), resolve);
  });
  boundConnections(server);
  server.removeAllListeners('error');
  // A connection that broke is not our concern, and must not end the process.
  server.on('error', () => {});
  server.unref();
  const { address: host, family, port } = server.address() as AddressInfo;
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  return { address: family === 'IPv6' ? `[${host}]:${port}` : `${host}:${port}` };
}

function endAtOnce(server: Server): void {
  server.close();
  server.closeAllConnections();
}

/** `:8081`, `127.0.0.1:8081` or `[::1]:8081` as Node takes it. */
export function listenOptions(address: string): { readonly port: number; readonly host?: string } {
  const colon = address.lastIndexOf(':');
  const port = Number(address.slice(colon + 1));
  const host = address.slice(0, colon).replace(/^\[(.*)\]$/, '$1');
  return host === '' ? { port } : { host, port };
}
