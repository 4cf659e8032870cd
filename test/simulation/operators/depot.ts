import { ConfigMap, RoleBinding } from '../../../imports/k8s.js';
import { customResource, operator, s } from '../../../src/index.js';

export const Depot = customResource({
  group: 'sim.example.com',
  version: 'v1',
  kind: 'Depot',
  spec: s.object({
    value: s.string(),
    /** What the stock is called, besides the depot itself: a child that moves. */
    shelf: s.string(),
    /** What becomes of the stock when it moves, or when the depot is deleted. */
    keep: s.enum(['delete', 'retain', 'orphan']),
    /** What cannot be changed, so that the child has to be made anew. */
    role: s.string(),
  }),
  status: s.object({ stocked: s.string({ optional: true }), role: s.string({ optional: true }) }),
});

/** Children that stay when they are wanted no more, that are taken from nobody, and that have to be made anew. */
export const depot = operator(Depot, {
  owns: [ConfigMap, RoleBinding],
  adopt: 'always',
  recreate: [RoleBinding],
  compose(scope, { metadata, spec }) {
    const annotations = spec.keep === 'delete' ? {} : { annotations: { 'kilter.dev/removal': spec.keep } };
    const stock = new ConfigMap(scope, 'stock', {
      metadata: { name: `${metadata.name}-${spec.shelf}`, ...annotations },
      data: { generation: String(metadata.generation ?? 0), value: spec.value },
    });
    const keys = new RoleBinding(scope, 'keys', {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: spec.role },
    });
    return { stock, keys };
  },
  status: ({ stock, keys }) => ({ stocked: stock?.data?.['value'], role: keys?.roleRef?.name }),
});
