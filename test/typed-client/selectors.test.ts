import { expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { OperatorError } from '../../src/kube/errors.js';
import { client } from '../../src/typed-client/client.js';

const listed: unknown[] = [];
const connection = {
  namespace: 'default',
  list: async (_: unknown, { labelSelector }: { labelSelector?: string }) => {
    listed.push(labelSelector);
    return { items: [], resourceVersion: '1' };
  },
};
const maps = client(ConfigMap, connection as never, { manager: 'tester' });

it.each([
  ['a', 'b,c=d', "consist of alphanumeric characters, '-', '_' or '.'"],
  ['!e,a', 'b', "consist of alphanumeric characters, '-', '_' or '.'"],
  ['a', 'x'.repeat(64), 'must be no more than 63 bytes'],
  ['x'.repeat(64), 'b', 'must be no more than 63 bytes'],
  ['Example.com/a', 'b', 'a lowercase RFC 1123 subdomain'],
  ['a/b/c', 'd', 'a valid'],
])('what no object can have is refused before a server is asked, and says why: %s=%s', async (key, value, why) => {
  const which = { labels: { [key]: value } };
  await expect(maps.list(which)).rejects.toThrow(why);
  expect(() => maps.informer(which)).toThrow(OperatorError);
  expect(listed).toEqual([]);
});

it('what objects can have is asked for', async () => {
  await maps.list({ labels: { 'example.com/a': '', b: 'C_d.e' } });
  expect(listed).toEqual(['example.com/a=,b=C_d.e']);
});
