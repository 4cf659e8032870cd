import type { ApiResource } from '../kube/api-resource.js';
import type { BundleHolder } from './ca-bundle.js';
import { type ClientConfig, missingIn } from './missing-in.js';
import type { ReviewedKind } from './reviewed-kind.js';

const definitions: ApiResource = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

/** Where the API server sends objects that are to be converted. */
export const conversionPath = '/convert';

/** The definition of a kind, which names the webhook that converts its objects. */
export function conversionHolder({ plural, group }: ReviewedKind): BundleHolder {
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
      return clientConfig && { type: 'merge', body: { spec: { conversion: { webhook: { clientConfig } } } } };
    },
  };
}
