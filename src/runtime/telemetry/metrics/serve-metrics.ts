import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createHttps, type Server as HttpsServer } from 'node:https';
import { createServer as createHttp } from '../../../http-server.js';
import type { ServingCertificate } from '../../../tls/serving-certificate.js';
import { type Listening, listen, patience } from '../../process/listen.js';
import { type Log, wordsOfError } from '../log.js';
import type { MetricsAccess } from './access.js';
import type { Metrics } from './metrics.js';

export interface ServeMetricsOptions {
  /** `:8443`, for instance. */
  readonly address: string;
  readonly metrics: Pick<Metrics, 'text' | 'contentType' | 'certificates'>;
  readonly log: Log;
  /** Absent: plain HTTP, and whoever asks is answered. */
  readonly secure?: { readonly access: Pick<MetricsAccess, 'judge'>; readonly certificate: ServingCertificate };
}

const path = '/metrics';

/** Serves `/metrics` until `signal` aborts. Throws `OperatorError` when it cannot listen. */
export async function serveMetrics(options: ServeMetricsOptions, signal: AbortSignal): Promise<Listening> {
  const { address, secure, log } = options;
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    answer(request, options).then(
      ({ code, text, headers = {} }) => {
        response.writeHead(code, { 'content-type': 'text/plain; charset=utf-8', ...headers });
        response.end(request.method === 'HEAD' ? undefined : text);
      },
      (error: Error) => {
        log.error('Failed to collect metrics', wordsOfError(error));
        response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end('Metrics could not be collected');
      },
    );
  };
  const server = secure ? https(secure.certificate, handle, options, signal) : createHttp(patience, handle);
  const listening = await listen(server, 'metrics', address, signal);
  log.info('Serving metrics', { address: listening.address, secure: secure !== undefined });
  return listening;
}

interface Answer {
  readonly code: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function answer(
  { method = '', url = '', headers }: IncomingMessage,
  options: ServeMetricsOptions,
): Promise<Answer> {
  if (url.split('?')[0] !== path) return { code: 404, text: 'Not found' };
  if (method !== 'GET' && method !== 'HEAD') {
    return { code: 405, text: 'Method not allowed', headers: { allow: 'GET, HEAD' } };
  }
  const access = await options.secure?.access.judge(headers.authorization, method.toLowerCase(), path);
  if (access?.code === 401) return { ...access, headers: { 'www-authenticate': 'Bearer' } };
  if (access && access.code !== 200) return access;
  const { metrics } = options;
  return { code: 200, text: await metrics.text(), headers: { 'content-type': metrics.contentType } };
}

function https(
  certificate: ServingCertificate,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  { log, metrics }: ServeMetricsOptions,
  signal: AbortSignal,
): Server {
  const settings = { minVersion: 'TLSv1.2' } as const;
  const server: HttpsServer = createHttps({ ...patience, ...settings, ...certificate.pair }, handle);
  // A scanner that speaks no TLS is nothing to log.
  server.on('tlsClientError', () => {});
  metrics.certificates.read();
  certificate.watch(signal, {
    changed(pair) {
      server.setSecureContext({ ...settings, ...pair });
      metrics.certificates.read();
      log.info('Reloaded the certificate of metrics');
    },
    failed(error) {
      metrics.certificates.failed();
      log.error('Failed to reload the certificate of metrics', wordsOfError(error));
    },
  });
  return server;
}
