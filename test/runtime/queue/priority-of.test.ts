import { expect, it } from '@jest/globals';
import type { KubeObject } from '../../../src/kube/manifest.js';
import { priorityOf } from '../../../src/runtime/queue/priority-of.js';
import { configMap } from '../an-object.js';

const before = { ...configMap('a', 1, { generation: 1, labels: { team: 'x' } }), apiVersion: 'example.com/v1' };
const after = (metadata: object): KubeObject => ({ ...before, metadata: { ...before.metadata, ...metadata } });

it.each([
  ['a custom resource is created', { type: 'added', object: before }, 'changed'],
  ['it is deleted', { type: 'deleted', object: before }, 'changed'],
  ['its spec is changed', { type: 'updated', before, object: after({ generation: 2 }) }, 'changed'],
  [
    'a look is asked for',
    { type: 'updated', before, object: after({ annotations: { 'example.com/requested-at': 'now' } }) },
    'changed',
  ],
  [
    'a tool notes something on it',
    { type: 'updated', before, object: after({ labels: {}, annotations: { 'argocd.argoproj.io/tracking-id': 'x' } }) },
    'resync',
  ],
  ['it is to go', { type: 'updated', before, object: after({ deletionTimestamp: '2026-01-02T03:04:05Z' }) }, 'changed'],
  ['its status is written', { type: 'updated', before, object: after({ resourceVersion: '2' }) }, 'resync'],
] as const)('when %s, that is of the priority %#', (_, change, expected) => {
  expect(priorityOf(change)).toBe({ changed: 0, resync: 2 }[expected]);
});
