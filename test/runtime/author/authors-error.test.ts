import { expect, it } from '@jest/globals';
import type { OperatorError } from '../../../src/kube/errors.js';
import { namingErrors } from '../../../src/runtime/author/authors-error.js';
import { timeLimit } from '../../../src/runtime/author/time-limit.js';

const cr = {
  apiVersion: 'example.com/v1',
  kind: 'Foo',
  metadata: { name: 'a', namespace: 'default', uid: '1', resourceVersion: '1' },
};
const toldOf = (thrown: unknown) => {
  try {
    return namingErrors('compose', cr, () => {
      throw thrown;
    });
  } catch (error) {
    return error as OperatorError;
  }
};
const here = /^it was thrown at authors-error\.test\.ts:\d+:\d+$/;

it('the place of an error is where it was thrown', () => {
  expect(toldOf(new Error('no')).hint).toMatch(here);
});

it.each([
  ['sorts a list that is frozen', () => (Object.freeze(['b', 'a']) as string[]).sort()],
  ['reads what is no JSON', () => JSON.parse('{')],
])('the place of an error of JavaScript itself, as of one who %s, is where that was called', (_, body) => {
  try {
    body();
    expect('nothing').toBe('thrown');
  } catch (error) {
    expect(toldOf(error).hint).toMatch(here);
  }
});

it('the place of an error is none that its words quote', () => {
  const quoting = toldOf(new Error('no such color: "\n    at theirs.ts:1:1\n"'));
  expect(quoting.message).toContain('theirs.ts');
  expect(quoting.hint).toMatch(here);
});

it.each([
  ['are those of a custom resource', () => new Error(`no such color: \n    at ${'a'.repeat(200_000)} `)],
  [
    'are others than when it was made',
    () => Object.assign(new Error('no'), { stack: `Error: no such color: \n    at ${':1'.repeat(100_000)} ` }),
  ],
])('an error is told at once, however long its words, and though they %s', (_, make) => {
  const thrown = make();
  expect(
    timeLimit(500)(
      () => 'telling',
      () => toldOf(thrown),
    ).message,
  ).toMatch(/^compose of Foo\/default\/a threw: no/);
});

it('an error without a stack has no place', () => {
  expect(toldOf(Object.assign(new Error('no'), { stack: 7 })).hint).toBeUndefined();
});

it.each(['no', 7, null, undefined, { message: 'no' }])('what is no error has no place: %p', (thrown) => {
  expect(toldOf(thrown).hint).toBeUndefined();
});

it('an error whose message is no text has its own place', () => {
  expect(toldOf(Object.assign(new Error('no'), { message: 7 })).hint).toMatch(here);
});
