import type { Json, KubeObject } from '../../kube/manifest.js';
import type { ServedKind } from '../kinds/served-kind.js';

const known = new WeakMap<ServedKind, ServedKind>();

/** The kind that the scale subresource of `kind` answers, for how it is shown. */
export function scaleOf(kind: ServedKind): ServedKind {
  const before = known.get(kind);
  if (before) return before;
  const count = (part: string) => (object: KubeObject) =>
    ((object[part] as { readonly replicas?: Json } | undefined)?.replicas ?? 0) as Json;
  const scale: ServedKind = {
    ...kind,
    group: 'autoscaling',
    version: 'v1',
    kind: 'Scale',
    columns: [
      { name: 'Desired', type: 'integer', priority: 0, cell: count('spec') },
      { name: 'Available', type: 'integer', priority: 0, cell: count('status') },
    ],
  };
  known.set(kind, scale);
  return scale;
}
