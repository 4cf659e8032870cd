import { describe, expect, it } from '@jest/globals';
import { listenOptions } from '../../../src/runtime/process/listen.js';

describe('an address to listen at', () => {
  it.each([
    [':8081', { port: 8081 }],
    ['127.0.0.1:8081', { host: '127.0.0.1', port: 8081 }],
    ['[::1]:8081', { host: '::1', port: 8081 }],
  ])('may be %s', (address, expected) => {
    expect(listenOptions(address)).toEqual(expected);
  });
});
