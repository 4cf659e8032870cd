import { expect, it } from '@jest/globals';
import { jsonPath } from '../../../src/embedded/custom/json-path.js';

const object = {
  spec: { replicas: 3, list: ['a', 'b', 'c', 'd'], 'a.b': 'dotted', map: { y: 2, x: 1 } },
  status: {
    conditions: [
      { type: 'Ready', status: 'True', count: 2 },
      { type: 'Stuck', status: 'False', count: 9 },
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
  [".spec['a.b']", ['dotted']],
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

it.each(['spec', '.spec[', '.spec[?(@.a=="b"]', '.spec[?(nope)]', '.spec[a]'])('%s cannot be read', (path) => {
  expect(jsonPath(path)).toBeUndefined();
});
