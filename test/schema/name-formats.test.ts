import { describe, expect, it } from '@jest/globals';
import {
  dns1035Label,
  dns1123Label,
  dns1123Subdomain,
  dns1123SubdomainName,
  ipAddress,
  labelValue,
  legacyIpAddress,
  pathSegmentName,
  qualifiedName,
} from '../../src/schema/name-formats.js';

describe('a format of names', () => {
  it.each([
    [dns1123Label, 'web-1'],
    [dns1123Label, 'a'.repeat(63)],
    [dns1123Subdomain, 'a.b-c.d'],
    [dns1035Label, 'a1'],
    [qualifiedName, 'example.com/Part_of.x'],
    [labelValue, ''],
    [labelValue, 'A_b.c'],
    [ipAddress, '10.0.0.1'],
    [ipAddress, '2001:db8::1'],
    [legacyIpAddress, '2001:DB8::1'],
  ])('takes what is good: %p %s', (format, text) => {
    expect(format(text)).toEqual([]);
  });

  it.each([
    [dns1123Label, 'a.b', ['must not contain dots']],
    [dns1123Label, `${'a'.repeat(63)}ä`, [/^must be no more than 63 characters/, /^a lowercase RFC 1123 label/]],
    [dns1123Subdomain, 'A', [/\(e\.g\. 'example\.com', regex used for validation is '/]],
    [dns1035Label, '1a', [/\(e\.g\. 'my-name', {2}or 'abc-123', regex used for validation is '\[a-z\]/]],
    [qualifiedName, 'a/b/c', [/^a valid label key must consist .* with an optional DNS subdomain prefix and '\/'/]],
    [qualifiedName, '/a', ['prefix part must be non-empty']],
    [qualifiedName, 'a/', ['name part must be non-empty', /^name part must consist/]],
    [qualifiedName, 'a'.repeat(64), ['name part must be no more than 63 bytes']],
    [labelValue, 'a'.repeat(64), ['must be no more than 63 bytes']],
    [ipAddress, '010.0.0.1', ['must not have leading 0s']],
    [ipAddress, '::ffff:10.0.0.1', ['must not be an IPv4-mapped IPv6 address']],
    [ipAddress, '2001:DB8::1', ['must be in canonical form ("2001:db8::1")']],
    [ipAddress, 'x', [/^must be a valid IP address/]],
  ])('says what is wrong: %p %s', (format, text, problems) => {
    expect(format(text)).toEqual(
      problems.map((each) => (typeof each === 'string' ? each : expect.stringMatching(each))),
    );
  });

  it('lets a prefix end in a dash, for more follows', () => {
    expect(dns1123SubdomainName('web-', true)).toEqual([]);
    expect(dns1123SubdomainName('web-', false)).toHaveLength(1);
    expect(pathSegmentName('..', true)).toEqual([]);
    expect(pathSegmentName('..', false)).toEqual(["may not be '..'"]);
  });
});
