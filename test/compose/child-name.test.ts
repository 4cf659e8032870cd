import { describe, expect, it } from '@jest/globals';
import { childName } from '../../src/compose/child-name.js';
import { labelValue } from '../../src/compose/label-value.js';
import { timeLimit } from '../../src/runtime/author/time-limit.js';

const long = (length: number) => 'x'.repeat(length);

describe('the name of a child', () => {
  it.each([
    ['cache', ['server'], 'Deployment', 'cache-server'],
    ['cache', ['web', 'page'], 'ConfigMap', 'cache-web-page'],
    ['cache', ['default'], 'ConfigMap', 'cache'],
    ['cache', ['Default'], 'ConfigMap', 'cache'],
    ['cache', ['web', 'Resource'], 'Deployment', 'cache-web'],
    ['cache', ['Web Page!'], 'ConfigMap', 'cache-web-page'],
    ['my.cache', ['server'], 'ConfigMap', 'my.cache-server'],
    ['1cache', ['server'], 'StatefulSet', '1cache-server'],
    ['cache', ['constructor'], 'constructor', 'cache-constructor'],
  ])('of %s by %j as a %s is %s', (owner, ids, kind, name) => {
    expect(childName(owner, ids, kind)).toBe(name);
  });

  it('is found at once, whatever somebody calls what an id is made of', () => {
    const dashes = '-'.repeat(100_000);
    const named = () => childName('a', [`${dashes}x${dashes}y${dashes}`], 'Service');
    expect(timeLimit(1000)(() => 'the name', named)).toMatch(/^a-x-+[0-9a-f]{8}$/);
    expect(childName('a', [dashes, 'x--y--'], 'Service')).toBe('a-x--y');
  });

  it.each([
    ['Service', 63],
    ['StatefulSet', 52],
    ['CronJob', 52],
    ['Job', 63],
    ['Deployment', 242],
    ['DaemonSet', 242],
    ['ConfigMap', 253],
  ])('of a %s has at most %i characters, and a hash only beyond them', (kind, longest) => {
    const fits = childName(long(longest - 2), ['a'], kind);
    expect(fits).toBe(`${long(longest - 2)}-a`);
    const cut = childName(long(longest - 1), ['a'], kind);
    expect(cut).toMatch(/^x+-[0-9a-f]{8}$/);
    expect(cut).toHaveLength(longest);
    expect(cut).not.toBe(childName(long(longest - 1), ['b'], kind));
  });

  it.each([
    ['my.cache', /^my-cache-s-[0-9a-f]{8}$/],
    ['1cache', /^x1cache-s-[0-9a-f]{8}$/],
  ])('of a Service of %s is a DNS label, with a hash for what was changed', (owner, name) => {
    expect(childName(owner, ['s'], 'Service')).toMatch(name);
  });

  it('tells apart what would be cut or changed to the same', () => {
    const owners = ['a.b', 'a-b', `${long(60)}.a`, `${long(60)}-a`, `${long(60)}.b`, 'xa.b', '1a', 'x1a'];
    const names = owners.map((owner) => childName(owner, ['s'], 'Service'));
    expect(new Set(names).size).toBe(owners.length);
  });

  it('is one that the API server takes, whatever the owner and the ids', () => {
    const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
    const label = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
    const ids = ['a', 'A-', '-b', '$', 'É', 'x.y', 'default', '', long(70), '--', '9'];
    // Names that end where a cut is made leave no dash and no dot behind.
    const owners = ['a', '9', 'a.b', ...Array.from({ length: 253 }, (_, n) => `${long(n)}a.b`.slice(0, 253))];
    for (const owner of owners.filter((name) => subdomain.test(name))) {
      for (const id of ids) {
        expect(childName(owner, [id, 'z'], 'ConfigMap')).toMatch(subdomain);
        expect(childName(owner, [id, 'z'], 'Service')).toMatch(label);
        expect(childName(owner, [id], 'Service').length).toBeLessThanOrEqual(63);
        expect(childName(owner, [id], 'Deployment').length).toBeLessThanOrEqual(242);
      }
    }
  });
});

describe('a label value', () => {
  it.each([['cache'], ['my.cache_1'], ['A'], [''], [long(63)]])('is %j itself where it can be', (text) => {
    expect(labelValue(text)).toBe(text);
  });

  it.each([[long(64)], [`${long(54)}.${long(20)}`], ['a b'], ['-a'], ['a-'], ['é'], ['a/b'], ['.']])(
    'of %j is cut or changed to one, with a hash of the whole',
    (text) => {
      const value = labelValue(text);
      expect(value).toMatch(/^([A-Za-z0-9]([-\w.]*[A-Za-z0-9])?)?-?[0-9a-f]{8}$/);
      expect(value).toMatch(/^[A-Za-z0-9]([-\w.]*[A-Za-z0-9])?$/);
      expect(value.length).toBeLessThanOrEqual(63);
      expect(value).not.toBe(labelValue(`${text}!`));
    },
  );
});
