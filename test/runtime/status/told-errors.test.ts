import { describe, expect, it } from '@jest/globals';
import type { ConditionClaim } from '../../../src/kube/condition.js';
import { ToldErrors } from '../../../src/runtime/status/told-errors.js';

const claim = (message: string, reason = 'ApplyFailed', observedGeneration = 1): ConditionClaim => ({
  type: 'Ready',
  status: 'False',
  reason,
  message,
  observedGeneration,
});

describe('what was told of errors', () => {
  it('is news once, and again when it is another or was over', () => {
    const told = new ToldErrors();
    expect(['x', 'x', 'y', 'x'].map((message) => told.tell('a', claim(message), 0))).toEqual([true, false, true, true]);
    expect(told.tell('b', claim('x'), 0)).toBe(true);
    told.over('a');
    expect([told.tell('a', claim('x'), 0), told.tell('b', claim('x'), 0)]).toEqual([true, false]);
  });

  it('is over once all is well, which is news where something was told', () => {
    const told = new ToldErrors();
    told.tell('a', claim('x'), 0);
    told.over('a');
    expect([told.well('a'), told.well('a'), told.well('b')]).toEqual([true, false, false]);
  });

  it('of one before is none of another of its name, though a round under way told of it as that had gone', () => {
    const told = new ToldErrors();
    const named = (uid: string) => {
      const metadata = { name: 'a', namespace: 'default', uid, resourceVersion: '1' };
      return { apiVersion: 'example.com/v1', kind: 'Cache', metadata };
    };
    told.shown('a', named('first'), []);
    told.forget('a');
    told.tell('a', claim('x'), 0);
    told.shown('a', named('second'), []);
    expect([told.tell('a', claim('x'), 1), told.tell('a', claim('x'), 2)]).toEqual([true, false]);
  });

  it.each([
    ['keeps its words for a minute', claim('y'), 59_999, 'x'],
    ['has new words after a minute', claim('y'), 60_000, 'y'],
    ['has new words for another reason', claim('y', 'Timeout'), 1, 'y'],
    ['has new words for an edit', claim('y', 'ApplyFailed', 2), 1, 'y'],
  ])('%s', (_, ready, at, expected) => {
    const told = new ToldErrors();
    told.tell('a', claim('x'), 0);
    const second = { ...ready, type: 'Reconciling', status: 'True' } as const;
    const other = { ...claim('z'), type: 'Fighting' };
    expect(told.worded('a', [ready, second, other], at).map(({ message }) => message)).toEqual([
      expected,
      expected,
      'z',
    ]);
    expect(told.worded('b', [ready], at)).toEqual([ready]);
  });
});
