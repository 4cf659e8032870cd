import { expect, it } from '@jest/globals';
import { compareSegments } from '../../../src/embedded/fields/segment-order.js';

it.each<[string, readonly string[]]>([
  ['fields by their names, byte by byte', ['f:A', 'f:a', 'f:ab', 'f:b', 'f:\uffff', 'f:\u{1f600}']],
  ['fields before keys, values and indexes', ['f:z', 'k:{"a":1}', 'v:"a"', 'i:0']],
  [
    'keys by name and value, numbers as numbers',
    ['k:{"port":80}', 'k:{"port":443}', 'k:{"port":443,"protocol":"TCP"}'],
  ],
  ['keys with the fewer fields first', ['k:{"a":1}', 'k:{"a":1,"b":1}', 'k:{"b":0}']],
  [
    'values by type, then value',
    ['v:-1', 'v:1.5', 'v:10', 'v:"a"', 'v:"b"', 'v:false', 'v:true', 'v:[1]', 'v:[1,2]', 'v:{"a":1}', 'v:null'],
  ],
  ['indexes as numbers', ['i:-1', 'i:+2', 'i:10']],
])('orders %s', (_, ordered) => {
  expect([...ordered].reverse().sort(compareSegments)).toEqual(ordered);
  expect([...ordered].sort(compareSegments)).toEqual(ordered);
});
