import { goQuote } from './go-format.js';
import { parseIp } from './ip.js';

/** A URL as Go's `net/url` takes it apart. */
export interface GoUrl {
  /** In small letters; empty for a path alone. */
  readonly scheme: string;
  /** With its port, without who asks. */
  readonly host: string;
  /** As it is sent: what has to be escaped is. */
  readonly path: string;
  readonly query: string;
}

/** What `url.ParseRequestURI` makes of an absolute URI or an absolute path; throws in its words for anything else. */
export function parseRequestUri(text: string): GoUrl {
  return parsed(text, text, true);
}

/** What `url.Parse` makes of what `url.ParseRequestURI` takes: without a fragment. */
export function parseUrl(text: string): GoUrl {
  const [before = '', ...fragment] = text.split('#');
  const url = parsed(text, before, false);
  refuseBadEscapes(fragment.join('#'), text);
  return url;
}

/** The parameters of a query, without those that cannot be read. */
export function queryOf({ query }: GoUrl): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    const [key = '', ...value] = pair.split('=');
    if (pair === '' || pair.includes(';') || badEscape.test(pair)) continue;
    const [name, text] = [key, value.join('=')].map((part) => unescaped(part.replaceAll('+', ' '))) as [string, string];
    found.set(name, [...(found.get(name) ?? []), text]);
  }
  return found;
}

/** A host without its port, and without the brackets of an IPv6 address. */
export function hostnameOf({ host }: GoUrl): string {
  return host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1');
}

function parsed(whole: string, text: string, isRequest: boolean): GoUrl {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Go refuses exactly these.
  if (/[\x00-\x1f\x7f]/.test(text)) throw fault(whole, 'net/url: invalid control character in URL');
  if (text === '' && isRequest) throw fault(whole, 'empty url');
  if (text === '*') return { scheme: '', host: '', path: '*', query: '' };
  if (text.startsWith(':')) throw fault(whole, 'missing protocol scheme');
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text)?.[1] ?? '';
  const [beforeQuery = '', ...afterwards] = text.slice(scheme === '' ? 0 : scheme.length + 1).split('?');
  const query = afterwards.join('?');
  const url = { scheme: scheme.toLowerCase(), host: '', path: '', query };
  if (!beforeQuery.startsWith('/')) {
    if (scheme !== '') return url;
    throw fault(whole, 'invalid URI for request');
  }
  const hasHost = scheme !== '' || (!isRequest && !beforeQuery.startsWith('///'));
  const authority = hasHost ? /^\/\/([^/]*)/.exec(beforeQuery) : null;
  const path = beforeQuery.slice(authority?.[0].length ?? 0);
  const host = authority ? hostOf(authority[1]!, url.scheme, whole) : '';
  refuseBadEscapes(path, whole);
  return { ...url, host, path: escapedPath(path) };
}

function fault(whole: string, why: string): Error {
  return new Error(`parse ${goQuote(whole)}: ${why}`);
}

const badEscape = /%(?![0-9a-fA-F]{2})/;

function refuseBadEscapes(text: string, whole: string): void {
  const at = badEscape.exec(text)?.index;
  if (at !== undefined) throw fault(whole, `invalid URL escape ${goQuote(text.slice(at, at + 3))}`);
}

function unescaped(text: string): string {
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());
}

function hostOf(authority: string, scheme: string, whole: string): string {
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  if (host.lastIndexOf('[') > 0) throw fault(whole, 'invalid IP-literal');
  const result = host.startsWith('[') ? bracketed(host, whole) : named(host, scheme, whole);
  if (at < 0) return result;
  const user = authority.slice(0, at);
  if (/[^A-Za-z0-9\-._:~!$&'()*+,;=%@]/.test(user)) throw fault(whole, 'net/url: invalid userinfo');
  refuseBadEscapes(user, whole);
  return result;
}

/** Of all but HTTP there may be several, each with its port: `mongodb://a:27017,b:27017`. */
function named(host: string, scheme: string, whole: string): string {
  const isOne = scheme === 'http' || scheme === 'https';
  const colon = isOne ? host.indexOf(':') : host.lastIndexOf(':');
  const port = colon < 0 ? '' : host.slice(colon);
  if (!/^(:\d*)?$/.test(port)) throw fault(whole, `invalid port ${goQuote(port)} after host`);
  return unescapedHost(host, whole);
}

function bracketed(host: string, whole: string): string {
  const end = host.lastIndexOf(']');
  if (end < 0) throw fault(whole, "missing ']' in host");
  const port = host.slice(end + 1);
  if (!/^(:\d*)?$/.test(port)) throw fault(whole, `invalid port ${goQuote(port)} after host`);
  const [address = '', ...zone] = host.slice(1, end).split('%25');
  const plain = unescapedHost(address, whole);
  const bytes = parseIp(plain);
  refuseBadEscapes(zone.join('%25'), whole);
  const zoneText = unescaped(zone.join('%25'));
  if (bytes?.length !== 16 || (zone.length > 0 && zoneText === '')) throw fault(whole, 'invalid host');
  return `[${plain}${zone.length === 0 ? '' : `%${zoneText}`}]${port}`;
}

/** Of ASCII a host has no escapes, and few signs. */
function unescapedHost(host: string, whole: string): string {
  refuseBadEscapes(host, whole);
  const escaped = /%(?!25)[0-7][0-9a-fA-F]/.exec(host)?.[0];
  if (escaped !== undefined) throw fault(whole, `invalid URL escape ${goQuote(escaped)}`);
  const sign = /[^A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"%\u0080-\u{10ffff}]/u.exec(host)?.[0];
  if (sign !== undefined) throw fault(whole, `invalid character ${goQuote(sign)} in host name`);
  return unescaped(host);
}

/** As it was written, where that could be sent so. */
function escapedPath(path: string): string {
  if (/^[A-Za-z0-9\-_.~!$&'()*+,;=:@/[\]%]*$/.test(path)) return path;
  return [...Buffer.from(unescaped(path))]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      if (/[A-Za-z0-9\-_.~$&+,/:;=@]/.test(character)) return character;
      return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}
