import { BlockList, isIP } from 'node:net';
import type { Environment } from '../kube/environment.js';
import { OperatorError } from '../kube/errors.js';
import { bareHost } from '../kube/url-port.js';

/** What the client can speak to a proxy. */
const protocols = ['http:', 'https:', 'socks5:'];
/** By which some say that the proxy looks up names. It always does, as with kubectl. */
const lookingUp = /^socks5h:/i;

/**
 * The proxy by which the environment says that a server is reached, as client-go and kubectl read it: `HTTPS_PROXY`, or
 * `HTTP_PROXY` for a server without TLS, unless `NO_PROXY` names the server. Each may be written in lower case. What is on
 * this machine is reached without one. https://pkg.go.dev/golang.org/x/net/http/httpproxy#Config
 *
 * Throws `OperatorError` for a proxy that cannot be used.
 */
export function proxyOf(environment: Environment, server: string): string | undefined {
  const { protocol, hostname, port } = new URL(server);
  const isSecure = protocol === 'https:';
  const variable = isSecure ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const host = bareHost(hostname);
  const proxy = inEitherCase(environment, variable);
  if (proxy === undefined || host === 'localhost' || (isIP(host) && loopback.check(host, family(host)))) {
    return undefined;
  }
  const isExempt = (inEitherCase(environment, 'NO_PROXY') ?? '')
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => isNamed(entry, host, port || (isSecure ? '443' : '80')));
  return isExempt ? undefined : usableProxy(proxy, variable);
}

/** The URL of a proxy. Throws `OperatorError`, which says where it was named, when it cannot be used. */
export function usableProxy(proxy: string, from: string): string {
  // Where there is no scheme, it is HTTP: `proxy.example.com:3128`.
  const url = (proxy.includes('://') ? proxy : `http://${proxy}`).replace(lookingUp, 'socks5:');
  // A URL may hold a password, so that no error shows it.
  const scheme = `name one that begins with ${protocols.map((each) => `${each}//`).join(', ')}`;
  const refused = (problem: string, hint = scheme) =>
    new OperatorError(`the proxy of ${from} cannot be used: ${problem}`, { hint });
  if (!URL.canParse(url)) throw refused('it is no URL');
  const { protocol, username, password } = new URL(url);
  if (!protocols.includes(protocol)) throw refused(`"${protocol}" is not spoken`);
  if (!isEncoded(username) || !isEncoded(password)) {
    throw refused('a "%" in its user or its password encodes nothing', 'write %25 for "%" itself');
  }
  return url;
}

/** Whether what a URL says in percents can be read. */
function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether an entry of `NO_PROXY` names a host. */
function isNamed(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const [, network = '', bits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(entry) ?? [];
  if (isIP(network)) return isIP(host) !== 0 && isWithin(host, network, Number(bits));
  const [, before, after] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
  if (after !== undefined && after !== port) return false;
  const name = bareHost(before ?? entry);
  if (isIP(name)) return isIP(host) !== 0 && isWithin(host, name, family(name) === 'ipv4' ? 32 : 128);
  const domain = name.replace(/^\*\./, '.');
  return domain.startsWith('.') ? host.endsWith(domain) : domain !== '' && `.${host}`.endsWith(`.${domain}`);
}

function isWithin(host: string, network: string, bits: number): boolean {
  if (bits > (family(network) === 'ipv4' ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(network, bits, family(network));
  return list.check(host, family(host));
}

function family(ip: string): 'ipv4' | 'ipv6' {
  return isIP(ip) === 6 ? 'ipv6' : 'ipv4';
}

/** A variable that is in use in capitals and in small letters. */
function inEitherCase(environment: Environment, name: string): string | undefined {
  return environment[name] || environment[name.toLowerCase()] || undefined;
}
