import { describe, expect, it } from '@jest/globals';
import { der } from '../../src/tls/der.js';

const now = Date.parse('2030-05-06T07:08:09Z');

describe('the distinguished encoding', () => {
  it.each([
    ['zero', der.integer(Buffer.from([0])), '020100'],
    ['an integer whose first bit is set', der.integer(Buffer.from([0x80])), '02020080'],
    ['an integer with leading zeros', der.integer(Buffer.from([0, 0, 1])), '020101'],
    ['an identifier with a long part', der.identifier('1.2.840.10045.2'), '06062a8648ce3d02'],
    ['true', der.boolean(true), '0101ff'],
    ['a time before 2050', der.time(now), '170d3330303530363037303830395a'],
    ['a time from 2050 on', der.time(Date.parse('2050-01-02T03:04:05.678Z')), '180f32303530303130323033303430355a'],
    ['a length of 128', der.octets(Buffer.alloc(128)).subarray(0, 4), '04818000'],
    ['a length of 65,536', der.octets(Buffer.alloc(65_536)).subarray(0, 6), '048301000000'],
  ])('writes %s', (_, bytes, hex) => {
    expect(bytes.toString('hex')).toBe(hex);
  });
});
