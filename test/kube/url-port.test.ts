import { expect, it } from '@jest/globals';
import { bareHost, hostOfUrl } from '../../src/kube/url-port.js';

it.each([
  ['https://api.example.com', 'api.example.com:443', 'api.example.com'],
  ['http://api.example.com', 'api.example.com:80', 'api.example.com'],
  ['http://127.0.0.1:8001/base', '127.0.0.1:8001', '127.0.0.1'],
  ['https://[fd00::1]', '[fd00::1]:443', 'fd00::1'],
])('a server is told by its port, and an address without brackets: %s', (url, host, address) => {
  expect([hostOfUrl(new URL(url)), bareHost(new URL(url).hostname)]).toEqual([host, address]);
});
