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
 * Connections that a proxy leads on. The probes belong on what leads to the proxy, and there is no other connection: what goes
 * through it is TLS within, or nothing.
 */
export function proxyPool(
  proxyUrl: string,
  probes: KeepAlive,
  tls: TlsOptions,
  options: undici.Pool.Options,
): undici.Dispatcher {
  const url = new URL(proxyUrl);
  const [username, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const requestTls = { ...tls, ...probes };
  if (url.protocol === 'socks5:') {
    // Its types leave out what it takes for TLS.
    const socks: undici.Socks5ProxyAgent.Options & { readonly requestTls: TlsOptions } = {
      connect: endedWithoutTunnel(buildConnector(probes)),
      requestTls,
      username,
      password,
    };
    return new Socks5ProxyAgent(proxyUrl, socks);
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
