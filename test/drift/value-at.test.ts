import { describe, expect, it } from '@jest/globals';
import { childAt, indexAt, isKeyOf, valuesAt } from '../../src/drift/value-at.js';

const ports = [
  { port: 80, name: 'loose' },
  { port: 80, protocol: 'TCP', name: 'exact' },
  { port: 80, protocol: 'UDP', name: 'udp' },
];
const tcp = 'k:{"port":80,"protocol":"TCP"}';
const udp = 'k:{"port":80,"protocol":"UDP"}';
const sctp = 'k:{"port":80,"protocol":"SCTP"}';

describe('the item of a list that a segment stands for', () => {
  it.each([
    [tcp, 'exactly', 1],
    [tcp, 'loosely', 1],
    [udp, 'loosely', 2],
    [sctp, 'exactly', -1],
    // Its protocol may be this one by default.
    [sctp, 'loosely', 0],
    ['k:{"port":81,"protocol":"TCP"}', 'loosely', -1],
  ] as const)('%s, %s', (segment, how, index) => {
    expect(indexAt(ports, segment, how)).toBe(index);
    expect(childAt(ports, segment, how)).toBe(ports[index]);
  });

  it.each<[string, number]>([
    ['v:"b"', 1],
    ['v:2', 2],
    ['v:"2"', -1],
    ['v:"\\u003c"', 3],
  ])('of a set: %s', (segment, index) => {
    expect(indexAt(['a', 'b', 2, '<'], segment, 'exactly')).toBe(index);
  });

  it('is nothing of what is no list, and no field of what is none', () => {
    expect(childAt({ port: 80 }, tcp, 'exactly')).toBeUndefined();
    expect(childAt('text', 'f:length', 'exactly')).toBeUndefined();
    expect(childAt({}, 'f:constructor', 'exactly')).toBeUndefined();
  });
});

it('a trail leads to all items that have the keys of its segment', () => {
  const object = { spec: { ports: [...ports, { port: 81 }] } };
  const names = (segment: string) => valuesAt(object, ['f:spec', 'f:ports', segment, 'f:name']);
  expect(names('k:{"port":80}')).toEqual(['loose', 'exact', 'udp']);
  expect(names(tcp)).toEqual(['exact']);
  expect(names('k:{"port":82}')).toEqual([]);
  expect(valuesAt(object, ['f:spec', 'f:absent', 'f:name'])).toEqual([]);
});

it('a key of an item is told from its other fields', () => {
  expect([isKeyOf(tcp, 'f:port'), isKeyOf(tcp, 'f:name'), isKeyOf('f:port', 'f:port')]).toEqual([true, false, false]);
});
