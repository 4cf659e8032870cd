import { NotFoundError } from '../../src/client/api-error.js';
import type { HttpCluster } from '../../src/client/http-cluster.js';
import { versionPath } from '../../src/client/path.js';
import type { ApiResource, KindName } from '../../src/kube/api-resource.js';

/**
 * The kinds that an API server serves, by the names that objects give them. What was found is remembered; what was not is
 * asked for again.
 *
 * https://kubernetes.io/docs/concepts/overview/kubernetes-api/#discovery-api
 */
export class ServedKinds {
  readonly #found = new Map<string, readonly ApiResource[]>();

  constructor(private readonly cluster: Pick<HttpCluster, 'request'>) {}

  /** Undefined for a kind that is not served now. */
  async find({ apiVersion, kind }: KindName): Promise<ApiResource | undefined> {
    const known = this.#found.get(apiVersion)?.find((resource) => resource.kind === kind);
    if (known) return known;
    const all = await this.#ask(apiVersion);
    this.#found.set(apiVersion, all);
    return all.find((resource) => resource.kind === kind);
  }

  async #ask(apiVersion: string): Promise<readonly ApiResource[]> {
    try {
      const answer = await this.cluster.request('GET', versionPath(apiVersion));
      const { resources } = answer as { readonly resources: readonly Listed[] };
      return resources
        .filter(({ name }) => !name.includes('/'))
        .map(({ name, kind, namespaced }) => ({ apiVersion, kind, plural: name, namespaced }));
    } catch (error) {
      if (error instanceof NotFoundError) return [];
      throw error;
    }
  }
}

interface Listed {
  /** The plural, with a slash and a name behind it for a subresource. */
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}
