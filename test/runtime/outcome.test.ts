import { describe, expect, it } from '@jest/globals';
import { ConflictError, InvalidError, RetryAfterError, TransportError } from '../../src/client/api-error.js';
import { ConsentError } from '../../src/runtime/author/consents.js';
import { ExternalError, StrayError } from '../../src/runtime/external/external-error.js';
import { decisive, type Outcome, orSooner, outcomeOf } from '../../src/runtime/outcome.js';
import { RoundTimeoutError } from '../../src/runtime/round-limits.js';
import { RefusedError } from '../../src/runtime/writes/refused-error.js';

const refused = new RefusedError('x');
const invalid = new InvalidError('x');
const outside = (seconds: number) => new ExternalError('x', seconds * 1000, {});
const givenUp = new ExternalError('x', 60_000, { isFinal: true });
const broken = new TransportError('x');
const givenUpRound = new RoundTimeoutError(60, undefined);
const tooLong = { type: 'retry', because: 'tried again', failure: 'transient' } as const;
const movedOn = { type: 'retry', because: 'the cluster moved on meanwhile' } as const;
const again = (seconds: number): Partial<Outcome> => ({ type: 'done', againAfterMilliseconds: seconds * 1000 });

describe('when several things failed in a round, the next one', () => {
  it.each<[string, Error[], number | undefined, Partial<Outcome>]>([
    ['never comes by itself, where none is tried again', [refused, refused], undefined, { type: 'done' }],
    ['never comes by itself, where a namespace does not consent', [new ConsentError('x')], undefined, { type: 'done' }],
    ['comes for what is outside when it is polled, where there is no use in trying', [givenUp], undefined, again(60)],
    ['comes for that also where something else is refused', [refused, givenUp], undefined, again(60)],
    ['comes for what is outside, whatever was refused', [refused, outside(2)], undefined, again(2)],
    ['comes for what is outside, whatever else there was given up', [givenUp, outside(2)], undefined, again(2)],
    ['comes for the first of two that are outside', [outside(4), outside(2)], undefined, again(2)],
    ['comes in minutes, where one is invalid', [refused, invalid], undefined, again(300)],
    ['comes sooner than that for what is outside', [invalid, outside(2)], undefined, again(2)],
    ['comes for what is outside and well', [refused], 30, again(30)],
    ['comes for that also where one is invalid', [invalid], 30, again(30)],
    ['does not come later for that', [outside(2)], 30, again(2)],
    ['is a retry, where one is', [refused, broken], undefined, { type: 'retry', failure: 'transient' }],
    [
      'is a retry, and no later than what is outside',
      [refused, invalid, outside(2), broken],
      30,
      { type: 'retry', failure: 'transient', againAfterMilliseconds: 2000 },
    ],
    ['is a retry, and no later than what is polled', [broken], 30, { type: 'retry', againAfterMilliseconds: 30_000 }],
    ['is a retry, and no sooner, where it would hold a worker for as long', [givenUpRound, outside(2)], 30, tooLong],
    [
      'is a look at what is known by then, where the store was behind',
      [refused, new ConflictError('x')],
      undefined,
      movedOn,
    ],
    [
      'comes when the server says, and no sooner',
      [broken, outside(2), new RetryAfterError('x', 60)],
      30,
      { type: 'wait', milliseconds: 60_000 },
    ],
  ])('%s', (_, errors, pollSeconds, expected) => {
    const error = decisive(errors) as Error;
    const outcome = orSooner(outcomeOf({ type: 'failed', error, step: 'apply' }, undefined), errors, pollSeconds);
    expect(outcome).toMatchObject(expected);
    if (!('againAfterMilliseconds' in expected)) expect(outcome).not.toHaveProperty('againAfterMilliseconds');
  });

  it('is told of what happened once, whatever will be refused again', () => {
    const stray = new StrayError('x', 1000, {});
    expect(decisive([refused, invalid, stray])).toBe(stray);
    expect(decisive([refused, stray, givenUpRound])).toBe(givenUpRound);
  });

  it('comes when the server says, whatever came after that', () => {
    const outcome = orSooner({ type: 'done', failure: 'terminal' }, [new RetryAfterError('x', 60)], undefined);
    expect(outcome).toMatchObject({ type: 'wait', milliseconds: 60_000 });
  });

  it.each<[string, Error[], number | undefined, Outcome['failure']]>([
    ['nothing failed, where nothing did', [], 30, undefined],
    ['it waits for somebody, where one is given up and others are only polled', [givenUp], 30, 'terminal'],
    ['it is tried again, where one is', [givenUp, outside(2)], 30, 'transient'],
  ])('is counted so that %s', (_, errors, pollSeconds, failure) => {
    const error = decisive(errors);
    const verdict = error
      ? ({ type: 'failed', error, step: 'apply' } as const)
      : { type: 'applied' as const, children: [] };
    expect(orSooner(outcomeOf(verdict, pollSeconds), errors, pollSeconds).failure).toBe(failure);
  });
});
