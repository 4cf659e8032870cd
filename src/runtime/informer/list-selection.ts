import type { ListOptions } from '../../client/cluster.js';

/** What of a kind is listed and watched. */
export type ListSelection = Pick<ListOptions, 'namespace' | 'labelSelector' | 'fieldSelector'>;

/** What an API server is asked with: what is undefined is left out. */
export function listSelectionOf(
  asked: { readonly [K in keyof ListSelection]?: ListSelection[K] | undefined },
): ListSelection {
  const { namespace, labelSelector, fieldSelector } = asked;
  return {
    ...(namespace === undefined ? {} : { namespace }),
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  };
}
