export interface KubeconfigInput {
  readonly url: string;
  /** PEM; absent for plain HTTP. */
  readonly ca?: string;
  readonly token: string;
  /** Default: `default`. */
  readonly namespace?: string;
}

/**
 * A kubeconfig with one context, `kilter`, as text. It is JSON, which is YAML too, so every client reads it.
 *
 * https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/
 */
export function kubeconfigOf({ url, ca, token, namespace = 'default' }: KubeconfigInput): string {
  const authority = ca === undefined ? {} : { 'certificate-authority-data': Buffer.from(ca).toString('base64') };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'kilter', cluster: { server: url, ...authority } }],
    users: [{ name: 'kilter', user: { token } }],
    contexts: [{ name: 'kilter', context: { cluster: 'kilter', user: 'kilter', namespace } }],
    'current-context': 'kilter',
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}
