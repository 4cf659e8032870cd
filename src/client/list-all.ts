import type { ApiResource } from '../kube/api-resource.js';
import type { KubeObject } from '../kube/manifest.js';
import { GoneError } from './api-error.js';
import type { Cluster, ListOptions, ObjectList } from './cluster.js';
import { DeadlineError } from './deadline-error.js';

/** How many objects in a page, and how many where these do not come in time: on a slow link many large ones do not. */
const pageSizes = [500, 70, 10];

/**
 * Lists in pages, so that neither side holds all at once, and resolves with the version of the list. What takes longer than a
 * call may goes on in smaller ones. What is left of a list cannot be asked for any more some minutes after its first page; then
 * all is asked for at once, as client-go's pager does.
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
  const [most, ...smaller] = pageSizes;
  let limit = most!;
  const page = async (next: Pick<ListOptions, 'continue'>): Promise<ObjectList> => {
    for (;;) {
      try {
        return await cluster.list(resource, { ...options, limit, ...next });
      } catch (error) {
        const fewer = error instanceof DeadlineError ? smaller.shift() : undefined;
        if (fewer === undefined) throw error;
        limit = fewer;
      }
    }
  };
  try {
    for (;;) {
      const { items, resourceVersion, continue: more } = await page(token === undefined ? {} : { continue: token });
      items.forEach(take);
      token = more;
      if (token === undefined) return resourceVersion;
    }
  } catch (error) {
    if (!(error instanceof GoneError) || token === undefined) throw error;
    const { items, resourceVersion } = await cluster.list(resource, options);
    items.forEach(begin());
    return resourceVersion;
  }
}
