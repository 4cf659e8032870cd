import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createHttp } from '../../http-server.js';
import { type Certificates, loopbackCertificates } from './certificates.js';
import type { Door } from './door.js';
import { type KubeconfigInput, kubeconfigOf } from './kubeconfig.js';
import { RequestHandler } from './request-handler.js';

export interface ServeOptions extends Door {
  /** Default: `127.0.0.1`. Anything but loopback is refused: whoever reaches this server may well be anybody. */
  readonly host?: string;
  /** Default: one that is free. */
  readonly port?: number;
  /** From `loopbackCertificates`. Default: made anew at each start, and nobody else ever has their keys. */
  readonly certificates?: Certificates;
  /** Plain HTTP instead of HTTPS. Clients such as kubectl send no token over plain HTTP. */
  readonly plain?: boolean;
}

/** An API server on a port of this machine. */
export interface HttpServer {
  readonly url: string;
  /** The authority of its certificate, PEM. Absent for plain HTTP. */
  readonly ca?: string;
  /** A kubeconfig for whoever has the token, as text. */
  kubeconfig(token: string, namespace?: string): string;
  /** Ends all watches and connections, and gives the port back. */
  close(): Promise<void>;
}

const loopback = ['127.0.0.1', '::1', 'localhost'];

/**
 * Serves the verbs over HTTP as the real API server does: https://kubernetes.io/docs/reference/using-api/api-concepts/
 *
 * **Guarantees.** It listens on loopback only. No request, whole or broken, stops it or shows in the answer to another.
 */
export async function serve(options: ServeOptions): Promise<HttpServer> {
  const { host = '127.0.0.1', port = 0, plain = false, clock } = options;
  if (!loopback.includes(host)) {
    throw new TypeError(`the embedded API server listens on loopback only (${loopback.join(', ')}), not on ${host}`);
  }
  const certificates = plain ? undefined : (options.certificates ?? loopbackCertificates(clock.now()));
  let address = '';
  const handler = new RequestHandler(options, () => address);
  const server = serverOf(certificates, (request, response) => void handler.handle(request, response));
  server.on('clientError', refuseBroken);
  // Also those on which no request has come yet, which the server itself does not know of.
  const sockets = new Set<Duplex>();
  server.on('connection', (socket: Duplex) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await listening(server, host, port);
  address = `${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;

  const url = `${certificates ? 'https' : 'http'}://${address}`;
  const ca = certificates && { ca: certificates.ca };
  return {
    url,
    ...ca,
    kubeconfig: (token, namespace) =>
      kubeconfigOf({ url, ...ca, token, ...(namespace === undefined ? {} : { namespace }) } satisfies KubeconfigInput),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        handler.close();
        for (const socket of sockets) socket.destroy();
      }),
  };
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** How long the head of a request, and all of it, may take to come; and how large the head may be. As the server has it. */
const patience = {
  headersTimeout: 32_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 90_000,
  maxHeaderSize: 1024 * 1024,
};

function serverOf(certificates: Certificates | undefined, listener: Listener): Server {
  if (!certificates) return createHttp(patience, listener);
  const { certificate, key } = certificates;
  return createHttps({ ...patience, cert: certificate, key, minVersion: 'TLSv1.2' }, listener);
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** For what never became a request: there is no one to say more to. */
function refuseBroken(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const line =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : '400 Bad Request';
  const head = `HTTP/1.1 ${line}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n`;
  socket.end(`${head}${line}`);
}
