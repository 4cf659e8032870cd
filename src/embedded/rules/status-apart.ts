import type { Json, KubeObject } from '../../kube/manifest.js';
import { jsonCopy } from '../built-in/json-copy.js';
import type { Draft } from '../draft.js';
import type { Rules } from '../kinds/served-kind.js';

/**
 * The rules of kinds whose status is written through its subresource alone: a create begins with `empty`, an update of
 * the main resource keeps the status that is there and one of the status the rest, but for the metadata, and managers own
 * it through the subresource only.
 */
export function statusApart(
  empty: unknown,
): Required<Pick<Rules, 'prepareForCreate' | 'prepareForUpdate' | 'prepareForStatusUpdate' | 'resetFields'>> {
  return {
    prepareForCreate(object) {
      // A copy, for what is stored is frozen with all that it holds.
      object.status = jsonCopy(empty as Json);
    },
    prepareForUpdate: keepStatus,
    prepareForStatusUpdate: keepSpec,
    resetFields: { main: [['f:status']], status: [['f:spec']] },
  };
}

/** Whatever the client says of the status, it stays as it is. */
export function keepStatus(object: Draft, old: KubeObject): void {
  if (old.status === undefined) delete object.status;
  else object.status = old.status;
}

/** Whatever a write of the status says of the specification, it stays as it is. */
export function keepSpec(object: Draft, old: KubeObject): void {
  if (old.spec === undefined) delete object.spec;
  else object.spec = old.spec;
}
