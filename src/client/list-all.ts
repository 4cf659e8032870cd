import type { ApiResource } from '../kube/api-resource.js';
import type { KubeObject } from '../kube/manifest.js';
import { GoneError } from './api-error.js';
import type { Cluster, ListOptions } from './cluster.js';

const pageSize = 500;

/**
 * Lists in pages, so that neither side holds all at once, and resolves with the version of the list. What is left of a list
 * cannot be asked for any more some minutes after its first page; then all is asked for at once, as client-go's pager does.
 *
 * `begin` gives what takes each object. It is called once more where a list could not be ended, and forgets what came of that.
 * Throws what `list` throws.
 */
export async function listAll(
  cluster: Pick<Cluster, 'list'>,
  resource: ApiResource,
  options: Omit<ListOptions, 'limit' | 'continue'>,
  begin: () => (object: KubeObject) => void,
): Promise<string> {
  const take = begin();
  let token: string | undefined;
  try {
    for (;;) {
      const next = token === undefined ? {} : { continue: token };
      const page = await cluster.list(resource, { ...options, limit: pageSize, ...next });
      page.items.forEach(take);
      token = page.continue;
      if (token === undefined) return page.resourceVersion;
    }
  } catch (error) {
    if (!(error instanceof GoneError) || token === undefined) throw error;
    const { items, resourceVersion } = await cluster.list(resource, options);
    items.forEach(begin());
    return resourceVersion;
  }
}
