import type { ApiResource } from '../kube/api-resource.js';
import type { BundleHolder } from './ca-bundle.js';
import type { ConvertibleKind } from './convertible-kind.js';

const definitions: ApiResource = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

/** Where the API server sends objects that are to be converted. */
export const conversionPath = '/convert';

interface ClientConfig {
  readonly caBundle?: string;
  readonly url?: string;
}

/** The definition of a kind, which names the webhook that converts its objects. */
export function conversionHolder({ plural, group }: ConvertibleKind): BundleHolder {
  return {
    resource: definitions,
    name: `${plural}.${group}`,
    missing(definition, { ca, url }) {
      const { conversion } = definition['spec'] as {
        readonly conversion?: {
          readonly strategy: string;
          readonly webhook?: { readonly clientConfig?: ClientConfig };
        };
      };
      // Whoever installed it so does not want its objects converted.
      if (conversion?.strategy !== 'Webhook') return undefined;
      const clientConfig = missingIn(conversion.webhook?.clientConfig ?? {}, ca, url && `${url}${conversionPath}`);
      return clientConfig && { spec: { conversion: { webhook: { clientConfig } } } };
    },
  };
}

/** What is to be merged into `present`; undefined when nothing is. */
export function missingIn(present: ClientConfig, ca: string, url: string | undefined): object | undefined {
  const caBundle = Buffer.from(ca).toString('base64');
  if (present.caBundle === caBundle && (url === undefined || present.url === url)) return undefined;
  return url === undefined ? { caBundle } : { caBundle, url, service: null };
}
