import { expect, it } from '@jest/globals';
import { jsonPath } from '../../../src/embedded/custom/json-path.js';

const object = {
  spec: { replicas: 3, list: ['a', 'b', 'c', 'd'], 'a.b': 'dotted', map: { y: 2, x: 1 } },
  status: {
    conditions: [
      { type: 'Ready', status: 'True', count: 2 },
      { type: 'Stuck', status: 'False', count: 9 },
    ],
    shares: [
      { name: 'a', share: 2 },
      { name: 'b', share: 1.5 },
    ],
  },
};

it.each<[string, readonly unknown[]]>([
  ['.spec.replicas', [3]],
  ['$.spec.replicas', [3]],
  ['.spec.missing.deeper', []],
  ['.spec.replicas.deeper', []],
  ['.spec.list[0]', ['a']],
  ['.spec.list[-1]', ['d']],
  ['.spec.list[9]', []],
  ['.spec.list[1:3]', ['b', 'c']],
  ['.spec.list[::2]', ['a', 'c']],
  ['.spec.list[0,2]', ['a', 'c']],
  ['.spec.list[*]', ['a', 'b', 'c', 'd']],
  ['.spec.map.*', [1, 2]],
  ['.spec.a\\.b', ['dotted']],
  // As on the server, a key in quotes is written as a field is: with a dot in it for two.
  [".spec['a\\.b']", ['dotted']],
  [".spec['a.b']", []],
  [".spec['map.x']", [1]],
  // A part that goes beyond a list, and what is no list, are errors, of which nothing is shown.
  ['.spec.list[0:9]', []],
  ['.spec.list[-9:2]', []],
  ['.spec.map[*]', []],
  ['.spec.map[?(@ == 1)]', []],
  ['.status.conditions[?(@.count > 1.5)].type', []],
  ['.status.shares[?(@.share > 1)].name', []],
  ['.status.conditions[?(@.type=="Ready")].status', ['True']],
  [".status.conditions[?(@.type != 'Ready')].status", ['False']],
  ['.status.conditions[?(@.count > 5)].type', ['Stuck']],
  ['.status.conditions[?(@.nope)].type', []],
  ['.status..count', [2, 9]],
  ['.', [object]],
  ['.list.__proto__', []],
])('%s leads to %j', (path, found) => {
  expect(jsonPath(path)?.(object)).toEqual(found);
});

it.each(['spec', '.spec[', '.spec[?(@.a=="b"]', '.spec[?(nope)]', '.spec[a]', '.spec["map"]'])(
  '%s cannot be read',
  (path) => {
    expect(jsonPath(path)).toBeUndefined();
  },
);
