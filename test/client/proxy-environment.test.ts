import { describe, expect, it } from '@jest/globals';
import { proxyOf, usableProxy } from '../../src/client/proxy.js';

const proxy = 'http://proxy.example.com:3128';
const server = 'https://api.example.com:6443';

describe('the proxy of the environment', () => {
  it.each<[string, Record<string, string>, string, string | undefined]>([
    ['none', {}, server, undefined],
    ['an empty one', { HTTPS_PROXY: '' }, server, undefined],
    ['one for TLS', { HTTPS_PROXY: proxy }, server, proxy],
    ['one in small letters', { https_proxy: proxy }, server, proxy],
    ['both', { HTTPS_PROXY: proxy, https_proxy: 'http://other' }, server, proxy],
    ['one for what has no TLS, which a server with TLS does not take', { HTTP_PROXY: proxy }, server, undefined],
    ['one for what has no TLS', { http_proxy: proxy }, 'http://api.example.com', proxy],
    ['one without a scheme', { HTTPS_PROXY: 'proxy.example.com:3128' }, server, proxy],
    ['an address without a scheme', { HTTPS_PROXY: '10.0.0.1:3128' }, server, 'http://10.0.0.1:3128'],
    ['one with a password', { HTTPS_PROXY: 'http://a:b@proxy' }, server, 'http://a:b@proxy'],
    ['one that speaks SOCKS', { HTTPS_PROXY: 'socks5://proxy:1080' }, server, 'socks5://proxy:1080'],
    ['one that looks up names, as they all do', { HTTPS_PROXY: 'socks5h://proxy:1080' }, server, 'socks5://proxy:1080'],
  ])('is %s', (_, environment, to, expected) => {
    expect(proxyOf(environment, to)).toBe(expected);
  });

  it('whose password encodes nothing is an error that keeps it', () => {
    expect(() => usableProxy('http://me:hunter2%@proxy', 'HTTPS_PROXY')).toThrow(
      expect.objectContaining({
        message: 'the proxy of HTTPS_PROXY cannot be used: a "%" in its user or its password encodes nothing',
        hint: 'write %25 for "%" itself',
      }),
    );
  });

  it.each(['https://localhost:6443', 'https://127.0.0.1:6443', 'https://127.9.9.9', 'https://[::1]:6443'])(
    'is never for this machine: %s',
    (to) => {
      expect(proxyOf({ HTTPS_PROXY: proxy }, to)).toBeUndefined();
    },
  );

  /** As golang.org/x/net/http/httpproxy has them. */
  it.each<[string, string, boolean]>([
    ['*', server, true],
    ['other.com, *', server, true],
    ['', server, false],
    [', ,', server, false],
    ['api.example.com', server, true],
    [' API.Example.com ', server, true],
    ['example.com', server, true],
    ['.example.com', server, true],
    ['*.example.com', server, true],
    ['.example.com', 'https://example.com', false],
    ['example.com', 'https://example.com', true],
    ['example.com', 'https://notexample.com', false],
    ['pi.example.com', server, false],
    ['example.com:6443', server, true],
    ['example.com:443', server, false],
    ['example.com:443', 'https://example.com', true],
    ['example.com:80', 'http://example.com', true],
    [':6443', server, false],
    ['10.0.0.1', 'https://10.0.0.1:6443', true],
    ['10.0.0.1:6443', 'https://10.0.0.1:6443', true],
    ['10.0.0.1:443', 'https://10.0.0.1:6443', false],
    ['10.0.0.1', 'https://110.0.0.1', false],
    ['10.0.0.0/8', 'https://10.200.0.1', true],
    ['10.0.0.0/8', 'https://11.0.0.1', false],
    ['10.0.0.0/8', server, false],
    ['10.0.0.0/99', 'https://10.0.0.0', false],
    ['fd00::/8', 'https://[fd00::1]:6443', true],
    ['fd00:0::1', 'https://[fd00::1]:6443', true],
    ['[fd00::1]:6443', 'https://[fd00::1]:6443', true],
    ['[fd00::1]:443', 'https://[fd00::1]:6443', false],
    ['fd00::/8', 'https://10.0.0.1', false],
  ])('with NO_PROXY "%s" and %s is left out: %j', (exempt, to, isLeftOut) => {
    const variables = { HTTPS_PROXY: proxy, HTTP_PROXY: proxy };
    const expected = isLeftOut ? undefined : proxy;
    expect(proxyOf({ ...variables, NO_PROXY: exempt }, to)).toBe(expected);
    expect(proxyOf({ ...variables, no_proxy: exempt }, to)).toBe(expected);
  });

  it.each([
    ['socks4://me:hunter2@proxy', 'the proxy of HTTPS_PROXY cannot be used: "socks4:" is not spoken'],
    ['http://me:hunter2@pro xy', 'the proxy of HTTPS_PROXY cannot be used: it is no URL'],
  ])('that cannot be used is an error that keeps its password', (url, message) => {
    const refused = () => proxyOf({ HTTPS_PROXY: url }, server);
    expect(refused).toThrow(expect.objectContaining({ message, hint: expect.stringContaining('http://') }));
  });

  it('may be named elsewhere', () => {
    expect(() => usableProxy('ftp://a', 'cluster "a"')).toThrow('the proxy of cluster "a" cannot be used');
  });
});
