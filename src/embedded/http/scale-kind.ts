import type { Json, KubeObject } from '../../kube/manifest.js';
import { customColumns } from '../custom/custom-columns.js';
import type { ServedKind, TableColumn } from '../kinds/served-kind.js';
import { isTyped } from './typed-kind.js';

/** Of the server's own kinds it does not say that this is a name. */
const name: TableColumn = { name: 'Name', type: 'string', priority: 0, cell: ({ metadata }) => metadata.name };

const known = new WeakMap<ServedKind, ServedKind>();

/** The kind that the scale subresource of `kind` answers, for how it is shown. */
export function scaleOf(kind: ServedKind): ServedKind {
  const before = known.get(kind);
  if (before) return before;
  const count = (part: string) => (object: KubeObject) =>
    ((object[part] as { readonly replicas?: Json } | undefined)?.replicas ?? 0) as Json;
  const { addsAge: _, ...rest } = kind;
  const scale: ServedKind = {
    ...rest,
    group: 'autoscaling',
    version: 'v1',
    kind: 'Scale',
    columns: [
      ...(isTyped(kind) ? [name] : []),
      { name: 'Desired', type: 'integer', priority: 0, cell: count('spec') },
      { name: 'Available', type: 'integer', priority: 0, cell: count('status') },
      // Shown of every custom resource whose definition says nothing of columns.
      ...(isTyped(kind) ? [] : customColumns({})),
    ],
  };
  known.set(kind, scale);
  return scale;
}
