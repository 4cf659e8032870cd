import type { Patch } from '../client/cluster.js';
import { listAll } from '../client/list-all.js';
import type { ApiResource } from '../kube/api-resource.js';
import { definitionKind } from '../kube/definition-kind.js';
import { conversionPath } from '../kube/webhook.js';
import type { BundleHolder } from './ca-bundle.js';
import { type ClientConfig, missingIn } from './missing-in.js';
import type { ReviewedKind } from './reviewed-kind.js';

interface Definition {
  readonly spec: {
    readonly conversion?: {
      readonly strategy: string;
      readonly webhook?: { readonly clientConfig?: ClientConfig };
    };
    readonly versions: readonly { readonly name: string; readonly served: boolean; readonly storage: boolean }[];
  };
  readonly status?: { readonly storedVersions?: readonly string[] };
}

/**
 * The definition of a kind, which names the webhook that converts its objects; ours is the one behind the Service `own`.
 *
 * Once there is nothing to convert it holds nothing of ours. The last of its older versions goes together with the webhook,
 * and what is left of that by another manager the API server refuses: `spec.conversion.strategy: Required value`.
 */
export function conversionHolder(
  kind: Pick<ReviewedKind, keyof ApiResource | 'group'>,
  own: { readonly namespace: string; readonly name: string },
): BundleHolder {
  const patchOf = (clientConfig: object): Patch => ({
    type: 'merge',
    body: { spec: { conversion: { webhook: { clientConfig } } } },
  });
  /** Undefined where the objects are not ours to convert. */
  const present = ({ spec: { conversion } }: Definition, url: string | undefined): ClientConfig | undefined => {
    // Whoever installed it so does not want its objects converted.
    if (conversion?.strategy !== 'Webhook') return undefined;
    const clientConfig = conversion.webhook?.clientConfig ?? {};
    const { service } = clientConfig;
    const isOthers = service && (service.namespace !== own.namespace || service.name !== own.name);
    // Another install of the kind has the definition. Who is given a URL is meant all the same.
    return isOthers && url === undefined ? undefined : clientConfig;
  };
  return {
    resource: definitionKind,
    name: `${kind.plural}.${kind.group}`,
    missing(object, { ca, url }) {
      const definition = object as unknown as Definition;
      const said = present(definition, url);
      // Where it is there it may still be needed, and has to be the right one.
      if (!said || (url === undefined && said.caBundle === undefined && !isNeeded(definition))) return undefined;
      const clientConfig = missingIn(said, ca, url && `${url}${conversionPath}`);
      return clientConfig && patchOf(clientConfig);
    },
    superfluous(object, { url }) {
      const definition = object as unknown as Definition;
      if (url !== undefined || isNeeded(definition)) return undefined;
      return present(definition, url)?.caBundle === undefined ? undefined : patchOf({ caBundle: null });
    },
    /**
     * Who wrote what is told in the version in which it was written, served or not. Where the API server cannot convert to it, it
     * refuses every apply to the object, and forgets with any other write who had written.
     */
    async isFree(cluster, signal) {
      let isFree = true;
      await listAll(cluster, kind, { signal }, () => ({ metadata: { managedFields = [] } }) => {
        isFree &&= managedFields.every(({ apiVersion = kind.apiVersion }) => apiVersion === kind.apiVersion);
      });
      return isFree;
    },
  };
}

/** Whether anything may be asked for in another version than it is stored in. */
function isNeeded({ spec: { versions }, status: { storedVersions = [] } = {} }: Definition): boolean {
  const stored = versions.find(({ storage }) => storage)?.name;
  return (
    versions.some(({ name, served }) => served && name !== stored) || storedVersions.some((name) => name !== stored)
  );
}
