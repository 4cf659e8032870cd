import { goQuote } from '../../schema/go-format.js';
import { type Cidr, maskedAddress, parseCidr, parseIp, showIp } from '../../schema/ip.js';
import { isMapped, sloppyCidr } from './addresses.js';

/** How an address in an old field ought to be written: https://datatracker.ietf.org/doc/html/rfc5952 */
export function addressWarnings(path: string, address: string): readonly string[] {
  const bytes = parseIp(address, { leadingZeros: true });
  if (bytes === undefined) return [];
  const shown = showAddress(bytes);
  if (parseIp(address) === undefined || isMapped(bytes)) {
    return [`${path}: non-standard IP address ${goQuote(address)} is invalid: use ${goQuote(shown)}`];
  }
  if (bytes.length === 4 || shown === address) return [];
  return [`${path}: IPv6 address ${goQuote(address)} should be in RFC 5952 canonical format (${goQuote(shown)})`];
}

/** The same of a range of addresses. */
export function cidrWarnings(path: string, text: string): readonly string[] {
  const cidr = sloppyCidr(text);
  if (cidr === undefined) return [];
  const { address } = cidr;
  const network = maskedAddress(cidr);
  const warnings: string[] = [];
  const range = showRange({ ...cidr, address: network });
  if (String(network) !== String(address)) {
    const single = `${showAddress(address)}/${address.length * 8}`;
    const choice = `should be ${goQuote(range)} or ${goQuote(single)}?`;
    warnings.push(`${path}: CIDR value ${goQuote(text)} is ambiguous in this context (${choice})`);
  }
  if (parseCidr(text) === undefined || isMapped(address)) {
    warnings.push(`${path}: non-standard CIDR value ${goQuote(text)} is invalid: use ${goQuote(range)}`);
  }
  if (warnings.length > 0 || address.length === 4 || range === text) return warnings;
  return [`${path}: IPv6 CIDR value ${goQuote(text)} should be in RFC 5952 canonical format (${goQuote(range)})`];
}

/** An IPv4 address within one of IPv6 is shown as what it is. */
function showAddress(bytes: readonly number[]): string {
  return showIp(isMapped(bytes) ? bytes.slice(12) : bytes);
}

function showRange({ address, prefixLength }: Cidr): string {
  return `${showAddress(address)}/${isMapped(address) ? prefixLength - 96 : prefixLength}`;
}
