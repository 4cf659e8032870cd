import { ConfigMap } from '../../../imports/k8s.js';
import { customResource, operator, s } from '../../../src/index.js';
import type { Names } from './names.js';

export const Vault = customResource({
  group: 'sim.example.com',
  version: 'v1',
  kind: 'Vault',
  spec: s.object({
    value: s.string(),
    /** What the box is called, besides the vault itself: a child that moves. */
    box: s.string(),
    /** What becomes of both children when they move, or when the vault is deleted. */
    left: s.enum(['Delete', 'Retain', 'Orphan']),
  }),
  status: s.object({ kept: s.string({ optional: true }), listed: s.string({ optional: true }) }),
});

/** Its own field says what becomes of its children, so that none has an owner reference. What was left is taken over again. */
export const vaultOf = ({ name, formerly = [] }: Names = { name: 'vault' }) =>
  operator(Vault, {
    name,
    owns: [ConfigMap],
    adopt: 'always',
    removal: '.spec.left',
    formerly,
    compose(scope, { metadata, spec }) {
      const data = { generation: String(metadata.generation ?? 0), value: spec.value };
      const index = new ConfigMap(scope, 'index', { data });
      const box = new ConfigMap(scope, 'box', { metadata: { name: `${metadata.name}-${spec.box}` }, data });
      return { index, box };
    },
    status: ({ index, box }) => ({ kept: box?.data?.['value'], listed: index?.data?.['value'] }),
  });
