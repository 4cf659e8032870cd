import type { ApiResource } from '../kube/api-resource.js';
import { type Clock, systemClock } from '../kube/clock.js';
import type { KubeObject } from '../kube/manifest.js';
import { GoneError } from './api-error.js';
import type { Cluster, ListOptions } from './cluster.js';
import { PageSize } from './page-size.js';

export interface ListAllOptions extends Omit<ListOptions, 'limit' | 'continue'> {
  /** What is left of a list that the server has not kept may be asked for as it is then: each object is as it was at some moment of now. */
  readonly isMixed?: boolean;
}

/**
 * Lists in pages, so that neither side holds all at once, and resolves with the version of the list. What takes longer than a
 * call may goes on in smaller ones. What is left of a list cannot be asked for any more some minutes after its first page; then
 * all is asked for at once, as client-go's pager does, unless the list may be mixed.
 *
 * `begin` gives what takes each object. It is called once more where a list could not be ended, and forgets what came of that.
 * Throws what `list` throws.
 */
export async function listAll(
  cluster: Pick<Cluster, 'list'>,
  resource: ApiResource,
  { isMixed, ...options }: ListAllOptions,
  begin: () => (object: KubeObject) => void,
  clock: Clock = systemClock,
): Promise<string> {
  const take = begin();
  const size = new PageSize({ clock });
  let token: string | undefined;
  for (;;) {
    const from = token === undefined ? {} : { continue: token };
    try {
      const ask = (limit: number) => cluster.list(resource, { ...options, limit, ...from });
      const { items, resourceVersion, continue: more } = await size.page(ask, options.signal);
      items.forEach(take);
      token = more;
      if (token === undefined) return resourceVersion;
    } catch (error) {
      if (!(error instanceof GoneError) || token === undefined) throw error;
      const rest = isMixed ? error.status?.metadata?.continue : undefined;
      if (rest === undefined || rest === token) break;
      token = rest;
    }
  }
  const { items, resourceVersion } = await cluster.list(resource, options);
  items.forEach(begin());
  return resourceVersion;
}
