import { describe, expect, it } from '@jest/globals';
import type { FieldsV1, KubeObject } from '../../../src/kube/manifest.js';
import { isOnlyApply } from '../../../src/runtime/writes/apply-echo.js';

/** A Deployment at a generation, whose fields belong to `owners`, as a server returns it. */
function deployment(generation: number | undefined, owners: Readonly<Record<string, FieldsV1>>, more: object = {}) {
  const managedFields = Object.entries(owners).map(([name, fieldsV1]) => {
    const [manager, subresource] = name.split(' of ');
    return { manager, operation: 'Update', fieldsV1, ...(subresource ? { subresource } : {}) };
  });
  const metadata = { name: 'a', uid: 'u', resourceVersion: '1', managedFields, ...more };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...metadata, ...(generation === undefined ? {} : { generation }) },
  } as KubeObject;
}

const replicas: FieldsV1 = { 'f:spec': { 'f:replicas': {} } };
const paused: FieldsV1 = { 'f:spec': { 'f:paused': {} } };
const before = deployment(2, { somebody: replicas, us: {}, 'kubelet of status': { 'f:status': {} } });

describe('the answer to an apply', () => {
  it.each([
    ['another has lost what we took', deployment(3, { us: replicas }), true],
    ['another has kept what is no business of ours', deployment(3, { somebody: replicas, us: replicas }), true],
    [
      'the status has changed',
      deployment(3, { us: replicas, 'kubelet of status': { 'f:status': { 'f:x': {} } } }),
      true,
    ],
    ['somebody changed the spec, too', deployment(4, { us: replicas }), false],
    ['we changed nothing', deployment(2, { us: replicas }), false],
    ['somebody has got a field', deployment(3, { us: replicas, somebody: paused }), false],
    ['somebody is new', deployment(3, { us: replicas, other: paused }), false],
    ['it is being deleted', deployment(3, { us: replicas }, { deletionTimestamp: '2026-01-01T00:00:00Z' }), false],
    ['it is another one of the name', deployment(3, { us: replicas }, { uid: 'other' }), false],
  ])('in which %s', (_, after, expected) => {
    expect(isOnlyApply(before, after, 'us')).toBe(expected);
  });

  it('tells nothing of kinds without a generation', () => {
    expect(isOnlyApply(deployment(undefined, {}), deployment(undefined, {}), 'us')).toBe(false);
  });
});
