/** True for a URL of http or https, as a person may write it. */
export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** The port of a URL of http or https, also where it is the usual one, which a URL leaves out. */
export function portOfUrl({ protocol, port }: URL): number {
  return Number(port || (protocol === 'https:' ? 443 : 80));
}

/** `host:port` of such a URL. */
export function hostOfUrl(url: URL): string {
  return `${url.hostname}:${portOfUrl(url)}`;
}

/** An IPv6 address without what encloses it in a URL. */
export function bareHost(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
