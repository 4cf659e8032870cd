import { expect, it } from '@jest/globals';
import { customResource, s } from '../../src/index.js';
import { WholeNumbers } from '../../src/kube/whole-numbers.js';
import { type ConversionReview, conversionReview } from '../../src/webhooks/conversion-review.js';

const Ledger = customResource({
  group: 'numbers.example.com',
  version: 'v1',
  kind: 'Ledger',
  spec: s.object({ entries: s.preserved(), more: s.preserved({ optional: true }) }),
  versions: {
    v1beta1: {
      spec: s.object({ rows: s.preserved() }),
      upgrade: ({ rows }) => ({ entries: rows }),
      downgrade: ({ entries }) => ({ rows: entries }),
    },
  },
});

/** As the server of webhooks answers. */
function converted(objects: string, version: string): string {
  const body = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{"uid":"1","desiredAPIVersion":"numbers.example.com/${version}","objects":[${objects}]}}`;
  const numbers = new WholeNumbers();
  numbers.note(body);
  const text = numbers.restored(
    JSON.stringify(conversionReview(JSON.parse(body) as ConversionReview, [Ledger], numbers)),
  );
  return /"convertedObjects":\[(.*)\],"result":\{"status":"Success"\}/s.exec(text)?.[1] ?? text;
}
const ledger = (version: string, spec: string) =>
  `{"apiVersion":"numbers.example.com/${version}","kind":"Ledger","metadata":{"name":"a"},"spec":${spec}}`;
const numbers =
  '{"big":9007199254740993,"low":-9223372036854775808,"small":7,"broken":1.5,"text":"\\"9007199254740993"}';

it('carries whole numbers through a conversion that JavaScript has no number for, wherever they end up', () => {
  expect(converted(ledger('v1beta1', `{"rows":${numbers}}`), 'v1')).toBe(ledger('v1', `{"entries":${numbers}}`));
});

it('carries them through what is kept beside an older version as well', () => {
  const stored = `{"entries":[9007199254740993],"more":{"id":9223372036854775807}}`;
  const read = converted(ledger('v1', stored), 'v1beta1');
  expect(read).toContain(JSON.stringify(stored));
  const written = read.replace('"rows":[9007199254740993]', '"rows":[1]');
  expect(converted(written, 'v1')).toContain('"spec":{"entries":[1],"more":{"id":9223372036854775807}}');
});

it('leaves two alone that are nearest to the same number', () => {
  const [rows, entries] = ['[9223372036854775807,9223372036854775806]', '[9223372036854776000,9223372036854776000]'];
  expect(converted(ledger('v1beta1', `{"rows":${rows}}`), 'v1')).toBe(ledger('v1', `{"entries":${entries}}`));
});
