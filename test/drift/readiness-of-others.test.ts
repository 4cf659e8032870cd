import { describe, expect, it } from '@jest/globals';
import { readinessOf } from '../../src/drift/readiness.js';
import { stored } from './an-object.js';

describe('a custom resource of somebody else', () => {
  const said = (reason: string) =>
    readinessOf(
      stored(
        {
          apiVersion: 'infra.example.com/v1',
          kind: 'Machine',
          metadata: { name: 'a', namespace: 'n' },
          status: { conditions: [{ type: 'Ready', status: 'False', reason }] },
        },
        [],
      ),
    );

  it.each(['Provisioning', 'A_b:1,2', 'x'])('hands on its reason %s', (reason) => {
    expect(said(reason)).toEqual({ ready: false, message: 'Machine/n/a is not ready', reason });
  });

  it.each(['Provisioning @ Machine/a', 'a-b', '1st', '', 'x'.repeat(1025)])(
    'is not ready for a reason that no condition may have: %s',
    (reason) => {
      expect(said(reason)).toEqual({ ready: false, message: 'Machine/n/a is not ready' });
    },
  );

  it.each([
    [null, { ready: true }],
    [{ conditions: 'none' }, { ready: true }],
    [{ conditions: { Ready: 'False' } }, { ready: true }],
    [
      { conditions: [null, 'Ready', { type: 'Ready', status: 'False', reason: null }] },
      { ready: false, message: 'Machine/n/a is not ready' },
    ],
  ])('is judged by what can be read of the status %j', (status, expected) => {
    const metadata = { name: 'a', namespace: 'n' };
    expect(readinessOf(stored({ apiVersion: 'infra.example.com/v1', kind: 'Machine', metadata, status }, []))).toEqual(
      expected,
    );
  });

  const last = { type: 'Ready', status: 'True', observedGeneration: 1 };
  const unseen = { ready: false, message: 'Machine/n/a has not seen its change yet' };
  it.each([
    ['of before its change', 2, [last], unseen],
    [
      'of before its change that says that it has given up',
      2,
      [
        { ...last, status: 'False' },
        { ...last, type: 'Stalled' },
      ],
      unseen,
    ],
    ['of its change', 1, [last], { ready: true }],
    ['that does not say of which generation it is', 2, [{ type: 'Ready', status: 'True' }], { ready: true }],
    [
      'of no generation, as of who leaves that out and writes zero',
      2,
      [{ ...last, observedGeneration: 0 }],
      { ready: true },
    ],
  ])('is judged by a condition %s', (_, generation, conditions, expected) => {
    const machine = { apiVersion: 'infra.example.com/v1', kind: 'Machine', metadata: { name: 'a', namespace: 'n' } };
    expect(readinessOf(stored({ ...machine, status: { conditions } }, [], { generation }))).toEqual(expected);
  });
});
