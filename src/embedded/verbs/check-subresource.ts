import type { WriteRequest } from '../api-server.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { noSuchPath, notFound } from '../status-error.js';
import { aboutResource } from './decode.js';

/** Throws a `StatusError` (404) for a subresource that the kind has not. */
export function checkSubresource(kind: ServedKind, subresource: WriteRequest['subresource'], name: string): void {
  if (subresource === undefined) return;
  const { subresources, storage, shape } = kind;
  const isServed =
    subresource === 'finalize'
      ? storage === 'namespaces'
      : subresource === 'binding'
        ? storage === 'pods'
        : subresources[subresource];
  if (isServed) return;
  // Of a custom resource the server knows the path, and finds nothing there.
  throw shape.patchType ? noSuchPath() : notFound(aboutResource(kind), name);
}
