export interface KubeconfigInput {
  readonly url: string;
  /** PEM. */
  readonly ca: string;
  /** What a token is, or the path of the file that it is in. */
  readonly token: string | { readonly file: string };
  readonly namespace?: string;
}

/** A kubeconfig with one context. JSON is YAML, so every client reads it. */
export function kubeconfigOf({ url, ca, token, namespace = 'default' }: KubeconfigInput): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: 'test', cluster: { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') } },
    ],
    users: [{ name: 'test', user: typeof token === 'string' ? { token } : { tokenFile: token.file } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test', namespace } }],
    'current-context': 'test',
  });
}
