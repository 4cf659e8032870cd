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
});
