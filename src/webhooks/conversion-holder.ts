import { definitionKind } from '../kube/definition-kind.js';
import { conversionPath } from '../kube/webhook.js';
import type { BundleHolder } from './ca-bundle.js';
import { type ClientConfig, missingIn } from './missing-in.js';
import type { ReviewedKind } from './reviewed-kind.js';

/** The definition of a kind, which names the webhook that converts its objects; ours is the one behind the Service `own`. */
export function conversionHolder(
  { plural, group }: Pick<ReviewedKind, 'plural' | 'group'>,
  own: { readonly namespace: string; readonly name: string },
): BundleHolder {
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
      const present = conversion.webhook?.clientConfig ?? {};
      const { service } = present;
      const isOthers = service && (service.namespace !== own.namespace || service.name !== own.name);
      // Another install of the kind has the definition. Who is given a URL is meant all the same.
      if (isOthers && url === undefined) return undefined;
      const clientConfig = missingIn(present, ca, url && `${url}${conversionPath}`);
      return clientConfig && { type: 'merge', body: { spec: { conversion: { webhook: { clientConfig } } } } };
    },
  };
}
