/** The port of a URL of http or https, also where it is the usual one, which a URL leaves out. */
export function portOfUrl({ protocol, port }: URL): number {
  return Number(port || (protocol === 'https:' ? 443 : 80));
}
