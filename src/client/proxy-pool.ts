import type { Socket } from 'node:net';
import type * as undici from 'undici';
import { systemClock } from '../kube/clock.js';
import type { TlsOptions } from './cluster-config.js';
import { buildConnector, Pool, ProxyAgent, Socks5ProxyAgent } from './undici.js';

/** How long a proxy may take to open a tunnel: whoever else waits for a connection of the lane waits as long. */
const tunnelMilliseconds = 5000;

/** How it is looked whether a peer is there still. */
export interface KeepAlive {
  readonly keepAlive: true;
  readonly keepAliveInitialDelay: number;
}

/**
 * Connections to `origin` that a proxy leads on. The probes belong on what leads to the proxy, and there is no other connection: what
 * goes through it is TLS within, or nothing.
 */
export function proxyPool(
  proxyUrl: string,
  origin: string,
  probes: KeepAlive,
  tls: TlsOptions,
  options: undici.Pool.Options,
): undici.Dispatcher {
  const url = new URL(proxyUrl);
  const [username, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const requestTls = { ...tls, ...probes };
  if (url.protocol === 'socks5:') {
    const connect = endedWithoutTunnel(buildConnector(probes));
    const proxy = new Socks5ProxyAgent(proxyUrl, { connect, username, password }) as unknown as SocksProxy;
    return new Pool(origin, { ...options, connect: throughTunnel(proxy, buildConnector(requestTls)) });
  }
  // A token as a user has no password.
  const account = Buffer.from(`${username}:${password}`).toString('base64');
  return new ProxyAgent({
    uri: proxyUrl,
    ...(username === '' ? {} : { token: `Basic ${account}` }),
    requestTls,
    proxyTls: probes,
    ...options,
    clientFactory: tunnels,
  });
}

/** What undici's agent has beside what its types tell. */
interface SocksProxy {
  createSocks5Connection(host: string, port: number): Promise<Socket>;
}

/** The agent has pools of its own, which keep to no limit, and waits for a handshake in a tunnel for ever. */
function throughTunnel(proxy: SocksProxy, secured: undici.buildConnector.connector): undici.buildConnector.connector {
  return (options, callback) => {
    const isSecure = options.protocol === 'https:';
    proxy.createSocks5Connection(options.hostname, Number(options.port) || (isSecure ? 443 : 80)).then(
      (socket) => {
        if (!isSecure) return callback(null, socket);
        try {
          secured({ ...options, httpSocket: socket }, callback);
        } catch (error) {
          // As of a certificate that is none. Nobody else would hear of it, and the tunnel lead nowhere.
          socket.destroy();
          callback(error as Error, null);
        }
      },
      (error: Error) => callback(error, null),
    );
  };
}

/** What a SOCKS proxy says at least that opens a tunnel: a method, and where it leads to. */
const fewestBytes = 12;

/** Undici waits twice for a SOCKS proxy, and leaves the connection of one that does not answer open for ever. */
function endedWithoutTunnel(connect: undici.buildConnector.connector): undici.buildConnector.connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (!socket) return callback(error, socket);
      systemClock.after(2 * tunnelMilliseconds, () => {
        if (socket.bytesRead < fewestBytes) socket.destroy();
      });
      callback(error, socket);
    });
}

/** Connections to a proxy itself. */
const tunnels = (origin: URL, options: object): undici.Dispatcher =>
  new Pool(origin, { ...options, headersTimeout: tunnelMilliseconds });
