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

const hour = 60 * 60_000;

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
    expect(told.worded('a', [ready, second, other], at, 'soon').map(({ message }) => message)).toEqual([
      expected,
      expected,
      'z',
    ]);
    expect(told.worded('b', [ready], at, 'soon')).toEqual([ready]);
  });

  /** How often it is told within so many milliseconds, by other words in each round. */
  const tellings = (told: ToldErrors, everyMilliseconds: number, milliseconds: number, again: 'soon' | 'later') => {
    let count = 0;
    for (let now = 0; now < milliseconds; now += everyMilliseconds) {
      const [ready] = told.worded('a', [claim(`request ${now}`)], now, again);
      if (told.tell('a', ready!, now)) count++;
    }
    return count;
  };

  it.each([
    ['each minute and a quarter', 75_000, 'soon'],
    ['after each back-off', 1_000_000, 'soon'],
    ['every five minutes', 300_000, 'later'],
  ] as const)('for a month is told once an hour in the end, where words are others %s', (_, every, again) => {
    expect(tellings(new ToldErrors(), every, 30 * 24 * hour, again)).toBeLessThanOrEqual(30 * 24 + 12);
  });

  it('has its own words soon where somebody mends one cause after the other, and where it lasted as it was', () => {
    const told = new ToldErrors();
    const said = (minutes: number, message: string) => {
      const now = minutes * 60_000;
      const [ready] = told.worded('a', [claim(message)], now, 'soon');
      return told.tell('a', ready!, now) && ready!.message;
    };
    expect([0, 1, 2, 3, 4].map((minutes) => said(minutes, `cause ${minutes}`))).not.toContain(false);
    expect([said(5, 'x'), said(6, 'y'), said(7, 'y'), said(500, 'z'), said(501, 'last')]).toEqual([
      'x',
      false,
      'y',
      'z',
      'last',
    ]);
  });

  it('keeps no words where no round comes to tell others, nor at first where one comes later', () => {
    const told = new ToldErrors();
    told.tell('a', claim('x'), 0);
    for (const again of ['later', undefined] as const)
      expect(told.worded('a', [claim('y')], 1, again)).toEqual([claim('y')]);
  });
});
