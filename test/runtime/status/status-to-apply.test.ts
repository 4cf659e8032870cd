import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '../../../src/kube/manifest.js';
import { conditionsOf, statusToApply } from '../../../src/runtime/status/status.js';
import { entry, stored } from '../../drift/an-object.js';

describe('the status to apply', () => {
  const now = '2026-01-02T03:04:05Z';
  const claims = conditionsOf({ type: 'applied', children: [] }, 2);
  const shown = {
    nodes: ['a'],
    ready: 1,
    observedGeneration: 2,
    conditions: [{ ...claims[0], lastTransitionTime: 'before' }],
  };
  const cr = (
    status: object | undefined,
    owned: readonly string[] = ['nodes', 'ready', 'conditions', 'observedGeneration'],
  ) =>
    stored(
      {
        apiVersion: 'example.com/v1',
        kind: 'Cache',
        metadata: { name: 'c', namespace: 'n' },
        ...(status ? { status } : {}),
      },
      [
        entry(
          'us',
          'Apply',
          owned.map((field) => `f:status f:${field}`),
          { subresource: 'status' },
        ),
      ],
      { generation: 2 },
    ) as KubeObject;
  const author = { nodes: ['a'], ready: 1 };

  it.each<[string, object | undefined, Record<string, unknown> | undefined, boolean]>([
    // rule, status there, author's fields, is written
    ['the same', shown, author, false],
    ['the same in another order of keys', { ...shown, ...{ ready: 1 } }, { ready: 1, nodes: ['a'] }, false],
    ['a field that is undefined and not there', shown, { ...author, note: undefined }, false],
    ['nothing by the author, who had no chance', shown, undefined, false],
    ['a first status', undefined, author, true],
    ['another value', shown, { ...author, ready: 2 }, true],
    ['another order of a list', { ...shown, nodes: ['b', 'a'] }, { ...author, nodes: ['a', 'b'] }, true],
    ['a new field', shown, { ...author, note: 'x' }, true],
    ['a field that is no longer said', shown, { nodes: ['a'] }, true],
    ['another generation', { ...shown, observedGeneration: 1 }, author, true],
    ['a condition that somebody removed', { ...shown, conditions: [] }, author, true],
  ])('%s', (_, there, fields, written) => {
    expect(statusToApply(cr(there), ['us'], fields, claims, now) !== undefined).toBe(written);
  });

  it('leaves alone what others say in the status', () => {
    const there = { ...shown, theirs: 'x' };
    expect(statusToApply(cr(there), ['us'], author, claims, now)).toBeUndefined();
    expect(statusToApply(cr(there), ['us'], { ...author, ready: 2 }, claims, now)?.['status']).not.toHaveProperty(
      'theirs',
    );
  });

  it("keeps the author's fields when a reconcile failed before they were known", () => {
    const failing = conditionsOf({ type: 'failed', error: new Error('x'), step: 'compose' }, 2);
    expect(statusToApply(cr({ ...shown, theirs: 'x' }), ['us'], undefined, failing, now)?.['status']).toEqual({
      nodes: ['a'],
      ready: 1,
      observedGeneration: 2,
      conditions: failing.map((claim) => ({ ...claim, lastTransitionTime: now })),
    });
  });

  it.each([{ message: 'other words' }, { reason: 'Another' }, { observedGeneration: 1 }])(
    'moves the time of a transition only when the status of a condition changes, and not for %j',
    (other) => {
      const reworded = claims.map((claim) => ({ ...claim, ...other }));
      const status = statusToApply(cr(shown), ['us'], author, reworded, now)?.['status'] as {
        conditions: readonly object[];
      };
      expect(status.conditions).toEqual([{ ...reworded[0], lastTransitionTime: 'before' }]);
    },
  );

  it('is a manifest of the custom resource and nothing but its status', () => {
    expect(statusToApply(cr(undefined), ['us'], {}, claims, now)).toEqual({
      apiVersion: 'example.com/v1',
      kind: 'Cache',
      metadata: { name: 'c', namespace: 'n', resourceVersion: '1' },
      status: { observedGeneration: 2, conditions: [{ ...claims[0], lastTransitionTime: now }] },
    });
  });
});
