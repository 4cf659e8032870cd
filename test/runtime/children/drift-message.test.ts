import { expect, it } from '@jest/globals';
import { driftMessage } from '../../../src/runtime/children/drift-message.js';

const child = (name: string, ...fields: readonly string[]) => ({
  ref: { apiVersion: 'v1', kind: 'ConfigMap', name, namespace: 'prod' },
  reported: fields.map((field) => ({
    path: `data.${field}`,
    trail: ['f:data', `f:${field}`],
    desired: 'ours',
    observed: 'theirs',
    by: { manager: 'rival', operation: 'Update' as const, time: undefined },
  })),
});

it.each([
  [[child('a', 'x')], /^1 difference is left alone: ConfigMap\/a data\.x[^,]*$/],
  [[child('a', 'x', 'y'), child('b', 'z')], /^3 differences are left alone: .*ConfigMap\/b data\.z(?!.*more)/],
  [
    [child('a', 'x', 'y'), child('b', 'z', 'no')],
    /^4 differences are left alone: .*ConfigMap\/b data\.z.*, and 1 more$/,
  ],
])('what is left alone is counted, and the first three of it shown', (drifted, message) => {
  expect(driftMessage(drifted)).toMatch(message);
  expect(driftMessage(drifted)).not.toContain('data.no');
});
