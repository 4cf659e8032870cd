import { describe, expect, it } from '@jest/globals';
import { readinessOf } from '../../src/drift/readiness.js';
import { stored } from './an-object.js';

const workload = (kind: string, spec: object, status: object) =>
  stored({ apiVersion: 'apps/v1', kind, metadata: { name: 'a', namespace: 'n' }, spec, status }, [], { generation: 2 });

describe('a Deployment that does not roll out', () => {
  const conditions = (type: string, status: string, reason: string) => ({
    observedGeneration: 2,
    conditions: [{ type, status, reason }],
  });

  it.each<[string, object, object, object]>([
    [
      'rolls out, where it does not say why',
      {},
      { observedGeneration: 2 },
      { message: 'Deployment/n/a is rolling out' },
    ],
    [
      'says that its Pods are refused',
      {},
      conditions('ReplicaFailure', 'True', 'FailedCreate'),
      { message: 'Deployment/n/a cannot make or remove its Pods', reason: 'FailedCreate' },
    ],
    [
      'says that somebody has paused it',
      { paused: true },
      conditions('Progressing', 'Unknown', 'DeploymentPaused'),
      { message: 'Deployment/n/a is paused', reason: 'DeploymentPaused' },
    ],
    [
      'says so where nobody watches its progress, too',
      { paused: true },
      { observedGeneration: 2 },
      { message: 'Deployment/n/a is paused' },
    ],
    [
      'says nothing of what it was before the change',
      { paused: true },
      { ...conditions('ReplicaFailure', 'True', 'FailedCreate'), observedGeneration: 1 },
      { message: 'Deployment/n/a is rolling out' },
    ],
  ])('%s', (_, spec, status, expected) => {
    expect(readinessOf(workload('Deployment', spec, status))).toEqual({ ready: false, ...expected });
  });

  it('is ready all the same where all its Pods are', () => {
    const status = { observedGeneration: 2, updatedReplicas: 1, availableReplicas: 1 };
    expect(readinessOf(workload('Deployment', { paused: true }, status))).toEqual({ ready: true });
  });
});

describe('a Job that is not complete', () => {
  const job = (...conditions: readonly object[]) =>
    stored({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a', namespace: 'n' }, status: { conditions } });
  const suspended = (status: string) => ({ type: 'Suspended', status, reason: 'JobSuspended' });

  it.each([
    ['says that it is suspended', [suspended('True')], { message: 'Job/n/a is suspended', reason: 'JobSuspended' }],
    ['says no more of it once it goes on', [suspended('False')], { message: 'Job/n/a is not complete' }],
  ])('%s', (_, conditions, expected) => {
    expect(readinessOf(job(...conditions))).toEqual({ ready: false, ...expected });
  });
});
