/**
 * What of undici speaks HTTP.
 *
 * Its index also loads `fetch`, WebSockets and caches, and by looking at the global `Headers` it makes Node load a second
 * undici, Node's own: 10 MB of memory, and a part of the start, in a process that uses none of it.
 */
import type * as undici from 'undici';
import verbs from 'undici/lib/api/index.js';
import connector from 'undici/lib/core/connect.js';
import dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import pool from 'undici/lib/dispatcher/pool.js';
import proxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import socks5ProxyAgent from 'undici/lib/dispatcher/socks5-proxy-agent.js';

// As its index does: `request` is one of them.
Object.assign(dispatcher.prototype, verbs);

export const Pool: typeof undici.Pool = pool;
export const ProxyAgent: typeof undici.ProxyAgent = proxyAgent;
export const Socks5ProxyAgent: typeof undici.Socks5ProxyAgent = socks5ProxyAgent;
export const buildConnector: typeof undici.buildConnector = connector;
