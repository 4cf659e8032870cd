import type { LabelSelector } from '../../../imports/k8s.js';
import type { KubeObject } from '../../kube/manifest.js';
import { controllerOf } from '../../kube/owner-reference.js';
import type { Revision } from '../object-store.js';
import type { BuiltIn } from './built-in.js';
import { type Desk, keyOf } from './controller.js';
import { selects } from './label-match.js';

/**
 * The keys of objects of `resource` that a change of a child concerns: the controllers that it has and had, and where it
 * has none, those that may adopt it.
 */
export function parentsOf<T extends { readonly spec?: { readonly selector?: LabelSelector | undefined } | undefined }>(
  { index }: Desk,
  { type, object, before }: Revision,
  resource: BuiltIn<T>,
): readonly string[] {
  const keys = new Set<string>();
  const references = [controllerOf(object), ...(before ? [controllerOf(before)] : [])];
  for (const reference of references) {
    if (reference?.kind !== resource.kind) continue;
    const parent = index.byUid(reference.uid);
    if (parent?.storage === resource.storage) keys.add(keyOf(parent.object));
  }
  if (controllerOf(object) === undefined && type !== 'DELETED') {
    for (const parent of index.in(resource.storage, object.metadata.namespace ?? '').values()) {
      const { spec } = parent as KubeObject & { spec?: { selector?: LabelSelector } };
      if (selects(spec?.selector, object.metadata.labels)) keys.add(keyOf(parent));
    }
  }
  return [...keys];
}
