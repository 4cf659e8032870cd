import { expect, it } from '@jest/globals';
import { ConfigMap } from '../../../imports/k8s.js';
import { customResource, many, operator, s } from '../../../src/index.js';
import { Consents } from '../../../src/runtime/author/consents.js';
import { occasionOf } from '../../../src/runtime/author/occasions.js';
import { ReadInputs } from '../../../src/runtime/author/read-inputs.js';

const Team = customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Team',
  spec: s.object({ roles: s.array(s.string()) }),
});

it('what selects inputs can change nothing of a custom resource, which is that of the store', () => {
  const team = operator(Team, {
    owns: [],
    // It sorts what it was only lent.
    reads: { notes: many(ConfigMap, ({ spec }) => ({ labels: { role: (spec.roles as string[]).sort()[0]! } })) },
    compose() {},
  });
  const stored = {
    apiVersion: Team.apiVersion,
    kind: Team.kind,
    metadata: { name: 'a', namespace: 'default', uid: '1', resourceVersion: '1' },
    spec: { roles: ['b', 'a'] },
  };
  const consents = new Consents({ reach: 'namespace', isAssumed: true, namespaces: undefined });
  const inputs = new ReadInputs(team.reads, () => ({ get: () => undefined, list: () => [] }));
  expect(() => occasionOf('default/a', stored, { operator: team, inputs, consents })).toThrow('read only');
  expect(stored.spec.roles).toEqual(['b', 'a']);
});
