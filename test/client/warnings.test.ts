import { expect, it } from '@jest/globals';
import { warningsIn } from '../../src/client/warnings.js';

it.each([
  ['none', undefined, []],
  ['one', '299 - "policy/v1beta1 is deprecated"', ['policy/v1beta1 is deprecated']],
  ['what it quotes', String.raw`299 - "unknown field \"spec.a\\b\""`, [String.raw`unknown field "spec.a\b"`]],
  ['several headers', ['299 - "one"', '299 kube "two, or three"'], ['one', 'two, or three']],
  ['several in one header', '299 - "one", 299 - "two" "Sat, 01 Jan 2000 00:00:00 GMT"', ['one', 'two']],
  ['only what is for whoever asked', '110 - "stale", 299 - "", 299 - "told"', ['told']],
  ['nothing of what is cut short', '299 - "one", 299 - "tw', ['one']],
  ['nothing of what is none', 'be careful', []],
])('reads %s', (_, header, warnings) => {
  expect(warningsIn(header)).toEqual(warnings);
});
