import { expect, it } from '@jest/globals';
import { asError, causeText } from '../../src/kube/errors.js';

const unshowable = { toString: (): string => Object.create(null) as string };
const withMessage = (message: unknown) => Object.defineProperty(new Error(), 'message', { value: message });

it.each<[string, unknown, string]>([
  ['a text', 'no', 'no'],
  ['nothing', undefined, 'undefined'],
  ['what cannot be shown', unshowable, 'what was thrown cannot be shown'],
  ['an error whose message is none', withMessage({ code: 7 }), '[object Object]'],
  ['an error whose message cannot be shown', withMessage(unshowable), 'what was thrown cannot be shown'],
])('whoever throws %s has thrown an error', (_, thrown, message) => {
  expect(asError(thrown)).toBeInstanceOf(Error);
  expect(asError(thrown).message).toBe(message);
});

it('an error is the one that it is', () => {
  const error = new TypeError('x');
  expect(asError(error)).toBe(error);
});

it.each<[string, unknown, string]>([
  ['an error', new TypeError('x'), 'x'],
  ['a text', 'no', 'no'],
  ['the errors of several addresses', new AggregateError([new Error('b'), new Error('a'), new Error('b')], ''), 'a, b'],
  ['several errors that say something together', new AggregateError([new Error('b')], 'all failed'), 'all failed'],
])('%s is told in words', (_, thrown, words) => expect(causeText(thrown)).toBe(words));

it('what throws when it is looked at is told of without its words', () => {
  const unsightly: unknown = new Proxy(new Error('x'), {
    get: () => {
      throw unsightly;
    },
    getPrototypeOf: () => {
      throw unsightly;
    },
  });
  for (const words of [asError(unsightly).message, causeText(unsightly)]) {
    expect(words).toBe('what was thrown cannot be shown');
  }
});

it('an error that is among its own ends with the words of the others', () => {
  const itself = new AggregateError([new Error('a')], '');
  itself.errors.push(itself);
  expect(causeText(itself)).toBe(', a');
});
