import { describe, expect, it } from '@jest/globals';
import { canonicalQuantities } from '../../src/compose/canonical-quantities.js';

const fields = {
  'example.com/v1/Room': ['spec.size', 'spec.beds[].length', 'spec.limits.*', 'spec.shelves[].books.*'],
};
const room = (spec: unknown) => ({ apiVersion: 'example.com/v1', kind: 'Room', metadata: { name: 'a' }, spec });
const canonical = (spec: unknown) => canonicalQuantities(room(spec), fields)['spec'];

describe('the quantities of a manifest', () => {
  it.each<[string, unknown, unknown]>([
    ['at a field', { size: '1000m', other: '1000m' }, { size: '1', other: '1000m' }],
    ['given as numbers', { size: 0.5 }, { size: '500m' }],
    [
      'in the items of a list',
      { beds: [{ length: '2048Mi' }, { soft: true }] },
      { beds: [{ length: '2Gi' }, { soft: true }] },
    ],
    ['under any key', { limits: { cpu: '0.5', __proto: '1024' } }, { limits: { cpu: '500m', __proto: '1024' } }],
    [
      'under any key of each item',
      { shelves: [{ books: { a: '1e3' } }, {}] },
      { shelves: [{ books: { a: '1e3' } }, {}] },
    ],
  ])('are canonical %s, and keep the order of keys', (_, given, expected) => {
    expect(JSON.stringify(canonical(given))).toBe(JSON.stringify(expected));
  });

  it.each<[string, unknown]>([
    ['no quantity', { size: 'huge' }],
    ['a list instead of a map', { limits: ['1000m'] }],
    ['a map instead of a list', { beds: { length: '1000m' } }],
    ['a map instead of a quantity', { size: { a: '1000m' } }],
    ['nothing', undefined],
  ])('are left to the server where there is %s', (_, given) => {
    expect(canonical(given)).toEqual(given);
  });

  it('are not copied where nothing is to be changed', () => {
    const tidy = room({ size: '1', beds: [{ length: '2Gi' }], limits: { cpu: '500m' } });
    expect(canonicalQuantities(tidy, fields)).toBe(tidy);
  });

  it('are not looked for in a kind that has none', () => {
    const other = { ...room({ size: '1000m' }), kind: 'Hall' };
    expect(canonicalQuantities(other, fields)).toBe(other);
    expect(canonicalQuantities({ ...other, kind: 'constructor', apiVersion: '' })).toMatchObject({
      spec: { size: '1000m' },
    });
  });
});
