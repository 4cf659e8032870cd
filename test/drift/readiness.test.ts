/** Longer than most files: each kind is ready by rules of its own, of which each has its cases. */
import { describe, expect, it } from '@jest/globals';
import { CustomResourceDefinition } from '../../imports/k8s.js';
import { type NotReady, readinessOf } from '../../src/drift/readiness.js';
import type { KubeObject } from '../../src/kube/manifest.js';
import { stored } from './an-object.js';

const workload = (kind: string, spec: object, status: object | undefined, metadata = {}) =>
  stored(
    { apiVersion: 'apps/v1', kind, metadata: { name: 'a', namespace: 'n' }, spec, ...(status ? { status } : {}) },
    [],
    {
      generation: 2,
      ...metadata,
    },
  );

describe('a child is ready', () => {
  it.each<[string, string, object, object | undefined, boolean]>([
    // rule, kind, spec, status, ready
    [
      'with all replicas',
      'Deployment',
      { replicas: 2 },
      { observedGeneration: 2, updatedReplicas: 2, availableReplicas: 2 },
      true,
    ],
    [
      'not before the change was observed',
      'Deployment',
      { replicas: 2 },
      { observedGeneration: 1, updatedReplicas: 2, availableReplicas: 2 },
      false,
    ],
    [
      'not before replicas are updated',
      'Deployment',
      { replicas: 2 },
      { observedGeneration: 2, updatedReplicas: 1, availableReplicas: 2 },
      false,
    ],
    [
      'not before replicas are available',
      'Deployment',
      { replicas: 2 },
      { observedGeneration: 2, updatedReplicas: 2, availableReplicas: 1 },
      false,
    ],
    [
      'not while the one that is available is an old one, as where the new image cannot be pulled',
      'Deployment',
      { replicas: 1 },
      { observedGeneration: 2, replicas: 2, updatedReplicas: 1, availableReplicas: 1 },
      false,
    ],
    [
      'not while there are more than are wanted',
      'Deployment',
      { replicas: 1 },
      { observedGeneration: 2, replicas: 2, updatedReplicas: 2, availableReplicas: 2 },
      false,
    ],
    [
      'not while there are more than are wanted',
      'StatefulSet',
      { replicas: 1 },
      { observedGeneration: 2, replicas: 2, updatedReplicas: 2, readyReplicas: 2 },
      false,
    ],
    ['with no replicas, when none are wanted', 'Deployment', { replicas: 0 }, { observedGeneration: 2 }, true],
    ['not without a replica, when none are said', 'Deployment', {}, { observedGeneration: 2 }, false],
    ['not without a status', 'Deployment', { replicas: 0 }, undefined, false],
    [
      'with all its replicas ready',
      'StatefulSet',
      { replicas: 2 },
      { observedGeneration: 2, readyReplicas: 2, updatedReplicas: 2 },
      true,
    ],
    [
      'not before replicas are ready',
      'StatefulSet',
      { replicas: 2 },
      { observedGeneration: 2, readyReplicas: 1, updatedReplicas: 2 },
      false,
    ],
    [
      'not while old replicas are ready',
      'StatefulSet',
      { replicas: 2 },
      { observedGeneration: 2, readyReplicas: 2, updatedReplicas: 1 },
      false,
    ],
    [
      'with the old replicas that its partition keeps',
      'StatefulSet',
      { replicas: 3, updateStrategy: { rollingUpdate: { partition: 2 } } },
      { observedGeneration: 2, readyReplicas: 3, updatedReplicas: 1 },
      true,
    ],
    [
      'with old replicas, when they are replaced only as they go',
      'StatefulSet',
      { replicas: 2, updateStrategy: { type: 'OnDelete' } },
      { observedGeneration: 2, readyReplicas: 2, updatedReplicas: 0 },
      true,
    ],
    [
      'on every node',
      'DaemonSet',
      {},
      { observedGeneration: 2, desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 3 },
      true,
    ],
    [
      'not before it is on every node',
      'DaemonSet',
      {},
      { observedGeneration: 2, desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 2 },
      false,
    ],
    [
      'not while it is old on some node',
      'DaemonSet',
      {},
      { observedGeneration: 2, desiredNumberScheduled: 3, updatedNumberScheduled: 2, numberAvailable: 3 },
      false,
    ],
    ['on no node, when there is none', 'DaemonSet', {}, { observedGeneration: 2 }, true],
  ])('%s (%s)', (_, kind, spec, status, ready) => {
    expect(readinessOf(workload(kind, spec, status)).ready).toBe(ready);
  });

  it.each(['Service', 'constructor'])('when it exists, being a %s', (kind) => {
    expect(readinessOf(stored({ apiVersion: 'v1', kind, metadata: { name: 'a' } }))).toEqual({ ready: true });
    expect(readinessOf(stored({ apiVersion: 'apps/v1', kind, metadata: { name: 'a' } }))).toEqual({ ready: true });
  });

  const saysOf = (type: string, status: string) => ({ conditions: [{ type, status }] });
  it.each<[string, string, string, object, string]>([
    ['v1', 'Namespace', 'once it is there', { phase: 'Active' }, ''],
    ['v1', 'Namespace', 'and not while it ends', { phase: 'Terminating' }, 'is being deleted'],
    [
      'apiextensions.k8s.io/v1',
      'CustomResourceDefinition',
      'and not before its kind is served',
      {},
      'is not established',
    ],
    [
      'apiextensions.k8s.io/v1',
      'CustomResourceDefinition',
      'and not while that is begun',
      saysOf('Established', 'False'),
      'is not established',
    ],
    [
      'apiextensions.k8s.io/v1',
      'CustomResourceDefinition',
      'once its kind is served',
      saysOf('Established', 'True'),
      '',
    ],
    ['v1', 'Pod', 'and not before it says so', { phase: 'Running' }, 'is not ready'],
    ['v1', 'Pod', 'once it says so', { phase: 'Running', ...saysOf('Ready', 'True') }, ''],
    ['v1', 'Pod', 'once it has done what it was for', { phase: 'Succeeded', ...saysOf('Ready', 'False') }, ''],
    ['v1', 'PersistentVolumeClaim', 'and not before it has a volume', { phase: 'Pending' }, 'is not bound'],
    ['v1', 'PersistentVolumeClaim', 'once it has a volume', { phase: 'Bound' }, ''],
  ])('by its own kind, %s %s, %s', (apiVersion, kind, _, status, problem) => {
    const readiness = readinessOf(stored({ apiVersion, kind, metadata: { name: 'a' }, status }));
    expect(readiness).toEqual(problem === '' ? { ready: true } : { ready: false, message: `${kind}/a ${problem}` });
  });

  it.each(['False', 'True'])('not while another definition has its names, established before: %s', (status) => {
    const names = { type: 'NamesAccepted', status: 'False', reason: 'ShortNamesConflict' };
    const conditions = [names, { type: 'Established', status, reason: 'NotAccepted' }];
    const { apiVersion, kind } = CustomResourceDefinition;
    expect(readinessOf(stored({ apiVersion, kind, metadata: { name: 'a' }, status: { conditions } }))).toEqual({
      ready: false,
      message: 'CustomResourceDefinition/a has names that another one has',
      reason: 'ShortNamesConflict',
      isFailed: true,
    });
  });

  it('never while it is being deleted', () => {
    const going = stored({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' } }, [], {
      deletionTimestamp: 'now',
    });
    expect(readinessOf(going)).toEqual({ ready: false, message: 'Service/a is being deleted' });
  });

  it('or says so in words that stay while it goes on', () => {
    const at = (updatedReplicas: number) =>
      readinessOf(workload('Deployment', { replicas: 9 }, { observedGeneration: 2, updatedReplicas }));
    expect(at(1)).toEqual({ ready: false, message: 'Deployment/n/a is rolling out' });
    expect(at(5)).toEqual(at(1));
  });
});

describe('a child has given up', () => {
  const saying = (apiVersion: string, kind: string, type: string, status: string, reason: string) =>
    stored(
      {
        apiVersion,
        kind,
        metadata: { name: 'a' },
        status: { observedGeneration: 1, conditions: [{ type, status, reason }] },
      },
      [],
      { generation: 1 },
    );

  it.each<[string, KubeObject, NotReady]>([
    [
      'when a rollout made no progress in time',
      saying('apps/v1', 'Deployment', 'Progressing', 'False', 'ProgressDeadlineExceeded'),
      { ready: false, message: 'Deployment/a makes no progress', reason: 'ProgressDeadlineExceeded', isFailed: true },
    ],
    [
      'when a Job failed',
      saying('batch/v1', 'Job', 'Failed', 'True', 'BackoffLimitExceeded'),
      { ready: false, message: 'Job/a failed', reason: 'BackoffLimitExceeded', isFailed: true },
    ],
    [
      'when a Pod failed',
      stored({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, status: { phase: 'Failed' } }),
      { ready: false, message: 'Pod/a failed', isFailed: true },
    ],
  ])('%s', (_, object, expected) => {
    expect(readinessOf(object)).toEqual(expected);
  });

  it('when a custom resource of somebody else has stalled, and is not ready', () => {
    const machine = (ready: string, observedGeneration: number) =>
      readinessOf(
        stored(
          {
            apiVersion: 'infra.example.com/v1',
            kind: 'Machine',
            metadata: { name: 'a' },
            status: {
              observedGeneration,
              conditions: [
                { type: 'Ready', status: ready, reason: 'NotYet' },
                { type: 'Stalled', status: 'True', reason: 'NoQuota' },
              ],
            },
          },
          [],
          { generation: 2 },
        ),
      );
    expect(machine('False', 2)).toEqual({
      ready: false,
      message: 'Machine/a has stalled',
      reason: 'NoQuota',
      isFailed: true,
    });
    expect(machine('False', 1)).toEqual({ ready: false, message: 'Machine/a has not seen its change yet' });
    expect(machine('True', 2)).toEqual({ ready: true });
  });
});
