import { goQuote } from './go-format.js';

/** The 4 or 16 bytes of an IP address, or undefined when `text` is none. Leading zeros are taken where the API server takes them. */
export function parseIp(text: string, { leadingZeros = false } = {}): readonly number[] | undefined {
  return text.includes(':') ? parseIpv6(text, leadingZeros) : parseIpv4(text, leadingZeros);
}

function parseIpv4(text: string, leadingZeros: boolean): readonly number[] | undefined {
  const parts = text.split('.');
  const isPart = (part: string) =>
    /^\d+$/.test(part) && Number(part) <= 255 && (leadingZeros || part === String(Number(part)));
  return parts.length === 4 && parts.every(isPart) ? parts.map(Number) : undefined;
}

/** What Go says of a text that is no address. Of one of IPv6 nothing is known here: https://pkg.go.dev/net/netip#ParseAddr */
export function ipFault(text: string): string | undefined {
  const [kind] = /[.:%]/.exec(text) ?? [];
  if (kind === undefined) return 'unable to parse IP';
  if (kind === '%') return 'missing IPv6 address';
  return kind === '.' ? ipv4Fault(text) : undefined;
}

function ipv4Fault(text: string): string {
  const at = (index: number) => ` (at ${goQuote(text.slice(index))})`;
  let [dots, field] = [0, ''];
  for (const [index, character] of [...text].entries()) {
    if (/\d/.test(character)) {
      if (field === '0') return 'IPv4 field has octet with leading zero';
      field += character;
      if (Number(field) > 255) return 'IPv4 field has value >255';
    } else if (character !== '.') return `unexpected character${at(index)}`;
    else {
      if (field === '' || index === text.length - 1) return `IPv4 field must have at least one digit${at(index)}`;
      if (dots === 3) return 'IPv4 address too long';
      dots++;
      field = '';
    }
  }
  return 'IPv4 address too short';
}

function parseIpv6(text: string, leadingZeros: boolean): readonly number[] | undefined {
  const tail = /[^:]*\.[^:]*$/.exec(text)?.[0];
  const embedded = tail === undefined ? [] : parseIpv4(tail, leadingZeros);
  if (embedded === undefined) return undefined;
  const groups = tail === undefined ? text : `${text.slice(0, -tail.length)}0:0`;
  const halves = groups.split('::');
  if (halves.length > 2) return undefined;
  const [head, rest] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const given = [...(head ?? []), ...(rest ?? [])];
  const isGroup = leadingZeros ? /^0*[0-9a-fA-F]{1,4}$/ : /^[0-9a-fA-F]{1,4}$/;
  if (!given.every((group) => isGroup.test(group))) return undefined;
  const missing = 8 - given.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined;
  const full = halves.length === 1 ? given : [...(head ?? []), ...Array<string>(missing).fill('0'), ...(rest ?? [])];
  const bytes = full.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]);
  return embedded.length === 0 ? bytes : [...bytes.slice(0, 12), ...embedded];
}

/** `ipv4`, as the API server tests it: leading zeros are taken, and so is an IPv6 address that embeds an IPv4 one. */
export function isIpv4(text: string): boolean {
  return text.includes('.') && parseIp(text, { leadingZeros: true }) !== undefined;
}

/** True for an address of IPv4 in the clothes of IPv6: `::ffff:1.2.3.4`. */
export function isMappedIpv4(address: readonly number[]): boolean {
  return address.length === 16 && address.slice(0, 12).join() === '0,0,0,0,0,0,0,0,0,0,255,255';
}

export function isIpv6(text: string): boolean {
  return text.includes(':') && parseIp(text) !== undefined;
}

/** An address and the length of its prefix. */
export interface Cidr {
  readonly address: readonly number[];
  readonly prefixLength: number;
}

export function parseCidr(text: string, options?: { leadingZeros?: boolean }): Cidr | undefined {
  const [ip = '', length = '', ...more] = text.split('/');
  const address = parseIp(ip, options);
  const isLength = options?.leadingZeros ? /^\d+$/ : /^(0|[1-9]\d*)$/;
  if (address === undefined || more.length > 0 || !isLength.test(length)) return undefined;
  const prefixLength = Number(length);
  return prefixLength <= address.length * 8 ? { address, prefixLength } : undefined;
}

export function isCidr(text: string): boolean {
  return parseCidr(text, { leadingZeros: true }) !== undefined;
}

/** The address with all bits behind the prefix cleared. */
export function maskedAddress({ address, prefixLength }: Cidr): readonly number[] {
  return address.map((byte, index) => {
    const bits = Math.min(8, Math.max(0, prefixLength - index * 8));
    return byte & (0xff << (8 - bits)) & 0xff;
  });
}

/** The one text of an address: RFC 5952 for IPv6. */
export function showIp(address: readonly number[]): string {
  if (address.length === 4) return address.join('.');
  const groups = Array.from({ length: 8 }, (_, index) =>
    ((address[index * 2]! << 8) | address[index * 2 + 1]!).toString(16),
  );
  const text = groups.join(':');
  const longest = [...text.matchAll(/(?<=^|:)0(:0)+(?=:|$)/g)].reduce(
    (a, b) => (b[0].length > a.length ? b[0] : a),
    '',
  );
  if (longest === '') return text;
  const at = [...text.matchAll(/(?<=^|:)0(:0)+(?=:|$)/g)].find(([run]) => run === longest)!.index;
  return `${text.slice(0, at).replace(/:$/, '')}::${text.slice(at + longest.length).replace(/^:/, '')}`;
}
