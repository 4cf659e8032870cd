import { definitionKind } from '../kube/definition-kind.js';
import { conversionPath } from '../kube/webhook.js';
import type { BundleHolder } from './ca-bundle.js';
import { type ClientConfig, missingIn } from './missing-in.js';
import type { ReviewedKind } from './reviewed-kind.js';

/** The definition of a kind, which names the webhook that converts its objects. */
export function conversionHolder({ plural, group }: ReviewedKind): BundleHolder {
  return {
    resource: definitionKind,
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
