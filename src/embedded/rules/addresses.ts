import type { FieldProblem } from '../../schema/field-problem.js';
import { type Cidr, maskedAddress, parseCidr, parseIp } from '../../schema/ip.js';
import { legacyIpAddress } from '../../schema/name-formats.js';
import { refuse } from './refuse.js';

const sloppy = { leadingZeros: true };

/** What is wrong with an address in an old field, which takes what it had before, however odd. */
export function addressProblems(
  path: string,
  address: string,
  existing: readonly string[] = [],
): readonly FieldProblem[] {
  return existing.includes(address) ? [] : refuse.each(path, address, legacyIpAddress(address));
}

/** What is wrong with a range of addresses in an old field, which takes what it had before. */
export function cidrProblems(path: string, cidr: string, existing: readonly string[] = []): readonly FieldProblem[] {
  if (existing.includes(cidr)) return [];
  const parsed = parseCidr(cidr, sloppy);
  if (parsed === undefined) {
    return [refuse.invalid(path, cidr, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')];
  }
  if (parseCidr(cidr) === undefined) {
    return [refuse.invalid(path, cidr, 'must not have leading 0s in IP or prefix length')];
  }
  if (isMapped(parsed.address)) return [refuse.invalid(path, cidr, 'must not have an IPv4-mapped IPv6 address')];
  if (String(maskedAddress(parsed)) !== String(parsed.address)) {
    return [refuse.invalid(path, cidr, 'must not have bits set beyond the prefix length')];
  }
  return [];
}

/** A range as the server reads it in old fields. */
export function sloppyCidr(text: string): Cidr | undefined {
  return parseCidr(text, sloppy);
}

export function isAddress(text: string): boolean {
  return parseIp(text, sloppy) !== undefined;
}

export function familyOf(address: string): 'IPv4' | 'IPv6' | undefined {
  const parsed = parseIp(address, sloppy);
  if (parsed === undefined) return undefined;
  return parsed.length === 4 || isMapped(parsed) ? 'IPv4' : 'IPv6';
}

/** Addresses that no endpoint can have, nor, for reasons of history, an external IP of a Service. */
export function endpointAddressProblems(path: string, address: string): readonly FieldProblem[] {
  const parsed = parseIp(address, sloppy);
  if (parsed === undefined) return [refuse.invalid(path, address, 'must be a valid IP address')];
  const [a = 0, b = 0, c = 0] = isMapped(parsed) ? parsed.slice(12) : parsed;
  const isV4 = parsed.length === 4 || isMapped(parsed);
  const problems: string[] = [];
  if (parsed.every((byte) => byte === 0)) problems.push(`may not be unspecified (${address})`);
  const isLoopback = isV4 ? a === 127 : parsed.every((byte, index) => byte === (index === 15 ? 1 : 0));
  if (isLoopback) problems.push('may not be in the loopback range (127.0.0.0/8, ::1/128)');
  if (isV4 ? a === 169 && b === 254 : a === 0xfe && (b & 0xc0) === 0x80) {
    problems.push('may not be in the link-local range (169.254.0.0/16, fe80::/10)');
  }
  if (isV4 ? a === 224 && b === 0 && c === 0 : a === 0xff && (b & 0x0f) === 0x02) {
    problems.push('may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)');
  }
  return refuse.each(path, address, problems);
}

export function isMapped(address: readonly number[]): boolean {
  return address.length === 16 && address.slice(0, 12).join() === '0,0,0,0,0,0,0,0,0,0,255,255';
}
