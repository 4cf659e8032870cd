import { expect, it } from '@jest/globals';
import { refusalOf } from '../../../src/runtime/writes/refused-error.js';
import { configMap } from '../an-object.js';

const deletionTimestamp = '2026-01-01T00:00:00Z';
const refusal = (rest: object, isLeft: boolean, isEnding: boolean) => {
  const { message, isGoing, hint } = refusalOf({
    type: 'refuse',
    observed: configMap('a', 1, rest),
    owner: 'nobody',
    isLeft,
    rival: { uid: 'whose', isThere: true, isEnding },
    taker: undefined,
  });
  return { message, isGoing, hasHint: hint !== undefined };
};

it.each([
  ['is to be moved out of the way where it stays', {}, false, false, 'belongs to nobody', false],
  [
    'goes by itself where its owner is gone',
    {},
    true,
    false,
    'belongs to nobody; the garbage collector deletes it',
    true,
  ],
  ['goes by itself where its owner goes', {}, false, true, 'belongs to nobody, which is being deleted', true],
  [
    'goes by itself where it is being deleted',
    { deletionTimestamp },
    false,
    false,
    'belongs to nobody; it is being deleted',
    true,
  ],
])('an object that has a child’s name %s', (_, rest, isLeft, isEnding, message, isGoing) => {
  expect(refusal(rest, isLeft, isEnding)).toEqual({
    message: expect.stringMatching(new RegExp(`${message}(, held by .*)?$`)),
    isGoing,
    hasHint: !isGoing,
  });
});

it.each([
  [
    'is there, which would make it again',
    true,
    'give the child another name, or delete b/one, which would make it again',
  ],
  [
    'is gone, and whose label alone is left',
    false,
    "delete or rename it, give the child another name, or have its operator adopt it, by adopt: 'always'",
  ],
])('who may have the name of another custom resource’s child is told by whether that %s', (_, isThere, hint) => {
  const rival = { uid: 'whose', isThere, isEnding: false };
  const observed = configMap('a', 1, {});
  expect(refusalOf({ type: 'refuse', observed, owner: 'b/one', isLeft: false, rival, taker: 'always' }).hint).toBe(
    hint,
  );
});
