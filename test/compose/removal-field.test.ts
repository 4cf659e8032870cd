import { expect, it } from '@jest/globals';
import { removalField } from '../../src/compose/removal-field.js';
import { customResource, s } from '../../src/index.js';

const Copy = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Copy',
  spec: s.object({
    policy: s.enum(['Delete', 'Orphan'], { default: 'Delete' }),
    deep: s.object({ policy: s.enum(['retain', 'delete'], { optional: true }) }, { optional: true }),
    mood: s.enum(['Delete', 'Sulk']),
    text: s.string(),
  }),
});

it.each([
  ['.spec.policy', { policy: 'Orphan' }, 'orphan'],
  ['.spec.policy', { policy: 'Delete' }, 'delete'],
  ['.spec.deep.policy', { deep: { policy: 'retain' } }, 'retain'],
  ['.spec.deep.policy', {}, undefined],
])('%s of %j says %s', (path, spec, expected) => {
  expect(removalField(Copy as never, path)({ spec })).toBe(expected);
});

it.each(['.spec.mood', '.spec.text', '.spec.absent', '.status.policy', 'spec.policy', '.spec.policy[0]'])(
  '%s says nothing that means anything, and is refused',
  (path) => {
    expect(() => removalField(Copy as never, path)).toThrow(`Copy cannot say by ${path} what becomes of its children`);
  },
);
