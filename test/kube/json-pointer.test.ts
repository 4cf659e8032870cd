import { expect, it } from '@jest/globals';
import { pointerStep } from '../../src/kube/json-pointer.js';

it.each([
  ['a/b', 'a~1b'],
  ['a~b', 'a~0b'],
  // In the other order it would be read as a slash.
  ['a~1b', 'a~01b'],
  ['/~/', '~1~0~1'],
])('the key %j is %j in a JSON pointer', (key, step) => {
  expect(pointerStep(key)).toBe(step);
});
