import { describe, expect, it } from '@jest/globals';
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  negatedQuantity,
  parseQuantity,
  showQuantity,
  wholeQuantity,
} from '../../src/kube/quantity.js';
import { timeLimit } from '../../src/runtime/author/time-limit.js';
import { canonical, malformed } from './quantities.js';

describe('a quantity', () => {
  it.each(canonical)('%j is stored as %j', (text, stored) => {
    expect(canonicalQuantity(text)).toBe(stored);
  });

  it.each(canonical.filter(([text]) => !/^[0-9]{4,}E$/.test(text)).map(([, stored]) => stored))(
    '%j, once stored, stays as it is',
    (stored) => {
      expect(canonicalQuantity(stored)).toBe(stored);
    },
  );

  it.each(['1e-30000000', '1e30000000', `1${'0'.repeat(70_000)}`])(
    'that nobody could work out is none, said at once: %.20s',
    (text) => {
      expect(() => parseQuantity(text)).toThrow('is not a quantity');
    },
  );

  it.each(['0', '1', '.0'])(
    'that is none is told at once, for a hundred containers as well: %j and so on',
    (digits) => {
      const text = `${digits.repeat(490 / digits.length)}!`;
      const all = () => {
        for (let container = 0; container < 100; container++)
          expect(() => parseQuantity(text)).toThrow('not a quantity');
      };
      expect(() => timeLimit(2000)(() => 'telling', all)).not.toThrow();
    },
  );

  it.each([...malformed, '1 Gi', '1Gi ish', 'NaN', '１'])('%j is none', (text) => {
    expect(() => parseQuantity(text)).toThrow(`"${text}" is not a quantity`);
  });

  it.each([
    ['1000m', '1', 0],
    ['1Gi', '1G', 1],
    ['0.5', '500m', 0],
    ['1Ki', '1024', 0],
    ['-1', '1', -1],
    ['1n', '0', 1],
    ['9223372036854775808', '9223372036854775807', 1],
    ['1e3', '1k', 0],
  ])('%s compared with %s gives %i', (a, b, order) => {
    expect(Math.sign(compareQuantities(a, b))).toBe(order);
    expect(Math.sign(compareQuantities(b, a)) + order).toBe(0);
  });

  it('is added in the format of the first amount that is not zero', () => {
    const sum = (a: string, b: string) => showQuantity(addQuantities(parseQuantity(a), parseQuantity(b)));
    expect(sum('1Gi', '1Gi')).toBe('2Gi');
    expect(sum('0', '1Gi')).toBe('1Gi');
    expect(sum('500m', '500m')).toBe('1');
    expect(showQuantity(negatedQuantity(parseQuantity('1500m')))).toBe('-1500m');
  });

  it.each([
    ['1', 1n],
    ['1k', 1000n],
    ['1Gi', 1073741824n],
    ['1000m', undefined],
    ['1.5', undefined],
    ['1.5Gi', undefined],
    ['10E', undefined],
  ])('%s as a whole number is %s, as the server sees it', (text, whole) => {
    expect(wholeQuantity(parseQuantity(text))).toBe(whole);
  });
});
