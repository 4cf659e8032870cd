/** How the API server reaches a webhook, as configurations and definitions have it. */
export interface ClientConfig {
  readonly caBundle?: string;
  readonly url?: string;
  readonly service?: { readonly namespace: string; readonly name: string } | null;
}

/** What is to be merged into `present`, so that a webhook can be verified and reached; undefined when nothing is. */
export function missingIn(present: ClientConfig, ca: string, url: string | undefined): object | undefined {
  const caBundle = Buffer.from(ca).toString('base64');
  if (present.caBundle === caBundle && (url === undefined || present.url === url)) return undefined;
  return url === undefined ? { caBundle } : { caBundle, url, service: null };
}
