import {
  dns1035Syntax,
  isDns1035Label,
  isDns1123Label,
  isDns1123Subdomain,
  labelSyntax,
  subdomainSyntax,
} from '../kube/dns-names.js';
import { isMappedIpv4, parseIp, showIp } from './ip.js';

/**
 * The formats of names, keys and values that the API server knows, each as a test that returns what is wrong, in the
 * server's words; empty when nothing is.
 *
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/names/
 */
export type NameFormat = (text: string) => readonly string[];

const good: readonly string[] = [];

/** What the server calls characters are bytes. */
function isLongerThan(text: string, bytes: number): boolean {
  return text.length > bytes || Buffer.byteLength(text) > bytes;
}

export function atMostCharacters(length: number): string {
  return `must be no more than ${length} characters`;
}

/** The same of the keys and values of labels, which are newer rules. */
function atMostBytes(length: number): string {
  return `must be no more than ${length} bytes`;
}

/** How the server says that a pattern does not match. */
export function mustMatch(message: string, pattern: string, ...examples: readonly string[]): string {
  const used = `regex used for validation is '${pattern}')`;
  if (examples.length === 0) return `${message} (${used}`;
  return `${message} (e.g. ${examples.map((example) => `'${example}'`).join(',  or ')}, ${used}`;
}

export function betweenInclusive(lowest: number, highest: number): string {
  return `must be between ${lowest} and ${highest}, inclusive`;
}

const labelPattern = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomainPattern = `${labelPattern}(\\.${labelPattern})*`;
const dns1035Pattern = '[a-z]([-a-z0-9]*[a-z0-9])?';
const keyPattern = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

const isKey = /^(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

const notALabel = mustMatch(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  labelPattern,
  'my-name',
  '123-abc',
);
const notASubdomain = mustMatch(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  subdomainPattern,
  'example.com',
);
const not1035 = mustMatch(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  dns1035Pattern,
  'my-name',
  'abc-123',
);
const keyWords =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const notAKey = mustMatch(keyWords, keyPattern, 'MyName', 'my.name', '123-abc');
const notALabelValue = mustMatch(
  `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character`,
  `(${keyPattern})?`,
  'MyValue',
  'my_value',
  '12345',
);

/** `web-1`: the name of a Namespace, a container, a port of a Service. */
export function dns1123Label(text: string): readonly string[] {
  if (isDns1123Label(text)) return good;
  const problems = isLongerThan(text, 63) ? [atMostCharacters(63)] : [];
  if (!labelSyntax.test(text)) problems.push(subdomainSyntax.test(text) ? 'must not contain dots' : notALabel);
  return problems;
}

/** `web.example.com`: the name of most objects. */
export function dns1123Subdomain(text: string): readonly string[] {
  if (isDns1123Subdomain(text)) return good;
  const problems = isLongerThan(text, 253) ? [atMostCharacters(253)] : [];
  if (!subdomainSyntax.test(text)) problems.push(notASubdomain);
  return problems;
}

/** `web-1`, which may not begin with a digit. */
export function dns1035Label(text: string): readonly string[] {
  if (isDns1035Label(text)) return good;
  const problems = isLongerThan(text, 63) ? [atMostCharacters(63)] : [];
  if (!dns1035Syntax.test(text)) problems.push(not1035);
  return problems;
}

/** `example.com/part-of` or `part-of`: the key of a label or an annotation, a finalizer, the name of a resource. */
export function qualifiedName(text: string): readonly string[] {
  if (text.length <= 63 && isKey.test(text)) return good;
  const parts = text.split('/');
  if (parts.length > 2) {
    return [`a valid label key ${notAKey} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const problems: string[] = [];
  const [prefix, name] = parts.length === 2 ? (parts as [string, string]) : [undefined, text];
  if (prefix === '') problems.push('prefix part must be non-empty');
  else if (prefix !== undefined) {
    problems.push(
      ...dns1123Subdomain(prefix).map((each) => `prefix part ${each.replace(atMostCharacters(253), atMostBytes(253))}`),
    );
  }
  if (name === '') problems.push('name part must be non-empty');
  else if (isLongerThan(name, 63)) problems.push(`name part ${atMostBytes(63)}`);
  if (!isKey.test(name)) problems.push(`name part ${notAKey}`);
  return problems;
}

export const labelKey: NameFormat = qualifiedName;

export function labelValue(text: string): readonly string[] {
  if (text === '' || (text.length <= 63 && isKey.test(text))) return good;
  const problems = isLongerThan(text, 63) ? [atMostBytes(63)] : [];
  if (!isKey.test(text)) problems.push(notALabelValue);
  return problems;
}

/** An address of IPv4 or IPv6 in the one form in which it is written today. */
export function ipAddress(text: string): readonly string[] {
  const address = parseIp(text, { leadingZeros: true });
  if (address === undefined) return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
  const problems: string[] = [];
  if (parseIp(text) === undefined) problems.push('must not have leading 0s');
  if (isMappedIpv4(address)) problems.push('must not be an IPv4-mapped IPv6 address');
  if (problems.length > 0) return problems;
  const canonical = showIp(address);
  return text === canonical ? good : [`must be in canonical form ("${canonical}")`];
}

/** The same for old fields, which take addresses that are not written in their one form. */
export function legacyIpAddress(text: string): readonly string[] {
  return ipAddress(text).filter((each) => !each.startsWith('must be in canonical form'));
}

/** What stands between two slashes of a URL: the name of a role and other loosely named objects. */
export function pathSegment(text: string): readonly string[] {
  if (text === '.' || text === '..') return [`may not be '${text}'`];
  return ['/', '%'].filter((each) => text.includes(each)).map((each) => `may not contain '${each}'`);
}

/**
 * A name, or, where `isPrefix` says so, what a generateName begins it with: a dash at its end does no harm, for more
 * follows.
 */
function prefixed(format: NameFormat, text: string, isPrefix: boolean): readonly string[] {
  if (!isPrefix || text.length < 2 || !text.endsWith('-')) return format(text);
  // As the server masks it: the last two characters give way to one letter.
  return format(`${text.slice(0, -2)}a`);
}

export function dns1123LabelName(name: string, isPrefix: boolean): readonly string[] {
  return prefixed(dns1123Label, name, isPrefix);
}

export function dns1123SubdomainName(name: string, isPrefix: boolean): readonly string[] {
  return prefixed(dns1123Subdomain, name, isPrefix);
}

/** A path segment that more follows may be `..`, for then it is none. */
export function pathSegmentName(name: string, isPrefix: boolean): readonly string[] {
  return isPrefix ? pathSegment(name).filter((each) => !each.startsWith('may not be')) : pathSegment(name);
}
