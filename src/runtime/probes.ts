import { createServer, type Server } from 'node:http';
import type { Clock } from '../kube/clock.js';
import type { Informer } from './informer.js';

/** After this long without a sign of life even a patient watch would have been made anew several times. */
const deadMilliseconds = 5 * 60_000;

export interface ProbesOptions {
  readonly clock: Clock;
  /** Undefined while the process starts. */
  readonly informers: () => readonly Informer[] | undefined;
}

/** What a probe says: `ok`, or what is wrong. */
export interface Health {
  readonly code: 200 | 503;
  readonly text: string;
}

/** Alive while every watch shows life: a controller that is silently deaf has to be restarted. */
export function livenessOf(informers: readonly Informer[]): Health {
  const deaf = informers.filter(
    ({ isServed, silentMilliseconds }) => isServed && silentMilliseconds > deadMilliseconds,
  );
  return deaf.length === 0
    ? ok
    : failing(`no sign of life on ${deaf.map(({ resource }) => resource.plural).join(', ')}`);
}

/** Ready once every store has been filled. A standby is ready: it could lead at once. */
export function readinessOfController(informers: readonly Informer[] | undefined): Health {
  if (!informers) return failing('starting');
  const empty = informers.filter(({ isSynced, isServed }) => isServed && !isSynced);
  return empty.length === 0 ? ok : failing(`waiting for ${empty.map(({ resource }) => resource.plural).join(', ')}`);
}

const ok: Health = { code: 200, text: 'ok' };
const failing = (text: string): Health => ({ code: 503, text });

/** Serves `/healthz` and `/readyz` at an address such as `:8081`; nothing at `0`. */
export function serveProbes(address: string, { informers }: ProbesOptions): Server | undefined {
  if (address === '0') return undefined;
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    const health =
      path === '/healthz'
        ? livenessOf(informers() ?? [])
        : path === '/readyz'
          ? readinessOfController(informers())
          : { code: 404, text: 'not found' };
    response.writeHead(health.code, { 'content-type': 'text/plain' }).end(health.text);
  });
  server.listen(listenOptions(address));
  server.unref();
  return server;
}

/** `:8081`, `127.0.0.1:8081` or `[::1]:8081` as Node takes it. */
export function listenOptions(address: string): { readonly port: number; readonly host?: string } {
  const colon = address.lastIndexOf(':');
  const port = Number(address.slice(colon + 1));
  const host = address.slice(0, colon).replace(/^\[(.*)\]$/, '$1');
  return host === '' ? { port } : { host, port };
}
