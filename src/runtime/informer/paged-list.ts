import { GoneError } from '../../client/api-error.js';
import type { Cluster, ObjectList } from '../../client/cluster.js';
import type { PageSize } from '../../client/page-size.js';
import { type ApiResource, groupResourceOf } from '../../kube/api-resource.js';
import type { Clock } from '../../kube/clock.js';
import { OperatorError } from '../../kube/errors.js';
import type { ListSelection } from './list-selection.js';

export interface PagedListOptions {
  readonly cluster: Pick<Cluster, 'list'>;
  readonly resource: ApiResource;
  readonly selection: ListSelection;
  readonly pageSize: PageSize;
  readonly clock: Clock;
}

/** The API server did not keep the rest of a list, five minutes after its first page or somewhat later. */
export class ExpiredListError extends OperatorError {
  override readonly name = 'ExpiredListError';

  constructor(resource: ApiResource, { seconds, objects, cause }: { seconds: number; objects: number; cause: Error }) {
    super(
      `${groupResourceOf(resource)} list failed: after ${seconds} s and ${objects} objects the API server did not keep the rest`,
      {
        cause,
        hint: 'where it is so each time, watch fewer namespaces, or run the controller nearer to the API server',
      },
    );
  }
}

/**
 * Lists page by page, hands each page to `take`, and resolves with the version of the list. Throws `ExpiredListError` where there
 * is no end to be had, and else what `list` throws.
 */
export async function pagedList(
  { cluster, resource, selection, pageSize, clock }: PagedListOptions,
  take: (page: ObjectList) => void,
  signal: AbortSignal,
): Promise<string> {
  const startedAt = clock.monotonic();
  let objects = 0;
  let token: string | undefined;
  for (;;) {
    const from = token === undefined ? {} : { continue: token };
    const ask = (limit: number) => cluster.list(resource, { limit, signal, ...selection, ...from });
    const page = await pageSize.page(ask, signal).catch((cause: unknown) => {
      if (!(cause instanceof GoneError) || token === undefined) throw cause;
      const seconds = Math.round((clock.monotonic() - startedAt) / 1000);
      throw new ExpiredListError(resource, { seconds, objects, cause });
    });
    take(page);
    objects += page.items.length;
    token = page.continue;
    if (token === undefined) return page.resourceVersion;
  }
}
