import { expect, it } from '@jest/globals';
import { asError } from '../../src/kube/errors.js';

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
