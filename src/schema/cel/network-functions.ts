import type { Environment } from '@marcbachmann/cel-js';
import { isOfFormat } from '../formats.js';
import { goQuote } from '../go-format.js';
import { type GoUrl, hostnameOf, parseRequestUri, parseUrl, queryOf } from '../go-url.js';
import { type Cidr, ipFault, isIpv6, isMappedIpv4, maskedAddress, parseCidr, parseIp, showIp } from '../ip.js';

class CelIp {
  constructor(readonly address: readonly number[]) {}
}

class CelCidr {
  constructor(readonly range: Cidr) {}
}

class CelUrl {
  constructor(
    readonly text: string,
    readonly url: GoUrl,
  ) {}
}

/** IP addresses, CIDR ranges and URLs, as Kubernetes adds them to CEL. */
export function registerNetworkFunctions(environment: Environment): void {
  registerIps(environment);
  registerCidrs(environment);
  registerUrls(environment);
}

function registerIps(environment: Environment): void {
  class IpNamespace {}
  environment.registerType('net.IP', CelIp);
  environment.registerType('IpNamespace', IpNamespace);
  environment.registerConstant('ip', 'IpNamespace', new IpNamespace());
  environment.registerFunction('ip(string): net.IP', (text: string) => ipOf(text));
  environment.registerFunction('isIP(string): bool', (text: string) => addressIn(text) !== undefined);
  environment.registerFunction('stringGo(net.IP): string', ({ address }: CelIp) => showIp(address));
  environment.registerFunction('IpNamespace.isCanonical(string): bool', (_: unknown, text: string) => {
    return showIp(ipOf(text).address) === text;
  });
  environment.registerFunction('net.IP.family(): int', ({ address }: CelIp) => (address.length === 4 ? 4n : 6n));
  const traits: Readonly<Record<string, (address: readonly number[]) => boolean>> = {
    isUnspecified: (address) => address.every((byte) => byte === 0),
    isLoopback: (address) => (address.length === 4 ? address[0] === 127 : showIp(address) === '::1'),
    isLinkLocalMulticast: isLinkLocalMulticast,
    isLinkLocalUnicast: isLinkLocalUnicast,
    isGlobalUnicast: (address) =>
      !traits['isUnspecified']!(address) &&
      !traits['isLoopback']!(address) &&
      !isLinkLocalUnicast(address) &&
      !(address.length === 4 ? address[0]! >> 4 === 14 || address.every((byte) => byte === 255) : address[0] === 0xff),
  };
  for (const [name, test] of Object.entries(traits)) {
    environment.registerFunction(`net.IP.${name}(): bool`, ({ address }: CelIp) => test(address));
  }
  const same = (a: CelIp, b: CelIp) => showIp(a.address) === showIp(b.address);
  environment.registerOperator('net.IP == net.IP', same);
}

function isLinkLocalMulticast(address: readonly number[]): boolean {
  if (address.length === 4) return address[0] === 224 && address[1] === 0 && address[2] === 0;
  return address[0] === 0xff && (address[1]! & 0x0f) === 0x02;
}

function isLinkLocalUnicast(address: readonly number[]): boolean {
  if (address.length === 4) return address[0] === 169 && address[1] === 254;
  return address[0] === 0xfe && (address[1]! & 0xc0) === 0x80;
}

function registerCidrs(environment: Environment): void {
  environment.registerType('net.CIDR', CelCidr);
  environment.registerFunction('cidr(string): net.CIDR', (text: string) => cidrOf(text));
  environment.registerFunction('isCIDR(string): bool', (text: string) => rangeIn(text) !== undefined);
  environment.registerFunction('stringGo(net.CIDR): string', (cidr: CelCidr) => showCidr(cidr));
  environment.registerFunction('net.CIDR.ip(): net.IP', ({ range }: CelCidr) => new CelIp(range.address));
  environment.registerFunction('net.CIDR.prefixLength(): int', ({ range }: CelCidr) => BigInt(range.prefixLength));
  environment.registerFunction('net.CIDR.masked(): net.CIDR', ({ range }: CelCidr) => {
    return new CelCidr({ ...range, address: maskedAddress(range) });
  });
  environment.registerFunction('net.CIDR.containsIP(string): bool', (cidr: CelCidr, text: string) =>
    contains(cidr, ipOf(text)),
  );
  environment.registerFunction('net.CIDR.containsIP(net.IP): bool', contains);
  environment.registerFunction('net.CIDR.containsCIDR(string): bool', (a: CelCidr, text: string) =>
    covers(a, cidrOf(text)),
  );
  environment.registerFunction('net.CIDR.containsCIDR(net.CIDR): bool', covers);
  environment.registerOperator('net.CIDR == net.CIDR', (a: CelCidr, b: CelCidr) => showCidr(a) === showCidr(b));
}

function contains({ range }: CelCidr, { address }: CelIp): boolean {
  if (range.address.length !== address.length) return false;
  return showIp(maskedAddress(range)) === showIp(maskedAddress({ address, prefixLength: range.prefixLength }));
}

function covers(a: CelCidr, b: CelCidr): boolean {
  return a.range.prefixLength <= b.range.prefixLength && contains(a, new CelIp(b.range.address));
}

function showCidr({ range }: CelCidr): string {
  return `${showIp(range.address)}/${range.prefixLength}`;
}

/** CEL refuses IPv4 addresses in the clothes of IPv6. */
function addressIn(text: string): readonly number[] | undefined {
  const address = parseIp(text);
  return address === undefined || isMappedIpv4(address) ? undefined : address;
}

function rangeIn(text: string): Cidr | undefined {
  const range = parseCidr(text);
  return range === undefined || isMappedIpv4(range.address) ? undefined : range;
}

function ipOf(text: string): CelIp {
  const address = addressIn(text);
  if (address === undefined) {
    const [plain = '', zone] = text.split('%');
    if (zone && isIpv6(plain)) throw new Error(`IP address "${text}" with zone value is not allowed`);
    if (parseIp(text)) throw new Error(`IPv4-mapped IPv6 address "${text}" is not allowed`);
    const fault = ipFault(text);
    const details = fault === undefined ? '' : ` during conversion from string: ParseAddr(${goQuote(text)}): ${fault}`;
    throw new Error(`IP Address ${goQuote(text)} parse error${details}`);
  }
  return new CelIp(address);
}

function cidrOf(text: string): CelCidr {
  const range = rangeIn(text);
  if (range === undefined) throw new Error(`network address parse error: "${text}"`);
  return new CelCidr(range);
}

function registerUrls(environment: Environment): void {
  environment.registerType('kubernetes.URL', CelUrl);
  environment.registerFunction('url(string): kubernetes.URL', (text: string) => {
    try {
      parseRequestUri(text);
      return new CelUrl(text, parseUrl(text));
    } catch (error) {
      throw new Error(`URL parse error during conversion from string: ${(error as Error).message}`);
    }
  });
  environment.registerFunction('isURL(string): bool', (text: string) => isOfFormat('uri', text));
  environment.registerOperator('kubernetes.URL == kubernetes.URL', (a: CelUrl, b: CelUrl) => a.text === b.text);
  const part = (name: string, read: (url: GoUrl) => string) =>
    environment.registerFunction(`kubernetes.URL.${name}(): string`, ({ url }: CelUrl) => read(url));
  part('getScheme', ({ scheme }) => scheme);
  part('getHost', ({ host }) => host);
  part('getHostname', hostnameOf);
  part('getPort', ({ host }) => /:(\d+)$/.exec(host)?.[1] ?? '');
  part('getEscapedPath', ({ path }) => path);
  environment.registerFunction('kubernetes.URL.getQuery(): map<string, list<string>>', ({ url }: CelUrl) =>
    queryOf(url),
  );
}
