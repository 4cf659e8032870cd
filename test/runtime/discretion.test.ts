import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { ConfigMap, EventsEvent, Secret } from '../../imports/k8s.js';
import { lookForDrift } from '../../src/cli/drift/look-for-drift.js';
import { customResource, type ExternalOf, one, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster, type TestController } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';

const canary = 'canary-5f1e';
const Login = customResource({
  group: 'x.example.com',
  version: 'v1',
  kind: 'Login',
  spec: s.object({ fails: s.enum(['compose', 'json', 'yaml', 'status', 'child', 'nowhere']) }),
  status: s.object({ seen: s.string() }),
});
const User = customResource({
  group: 'x.example.com',
  version: 'v1',
  kind: 'User',
  spec: s.object({ password: s.string({ pattern: '^[a-z]+$' }) }),
});
const logins = operator(Login, {
  owns: [ConfigMap, User],
  reads: { secret: one(Secret, (cr) => ({ name: cr.metadata.name })) },
  compose(scope, { spec: { fails } }, { secret }) {
    const text = Buffer.from(secret?.data?.['password'] ?? '', 'base64').toString();
    if (fails === 'compose') throw new Error(`no user has the password ${text}`);
    if (fails === 'json') JSON.parse(text);
    if (fails === 'yaml') parse(Buffer.from(secret?.data?.['file'] ?? '', 'base64').toString());
    if (fails === 'child') new User(scope, 'user', { spec: { password: text } });
    const copied = fails === 'nowhere' ? { file: `password=${text}` } : {};
    return { note: new ConfigMap(scope, 'note', { data: { fails, ...copied } }) };
  },
  status(_, { secret }, cr) {
    if (cr.spec.fails === 'status') throw new Error(`cannot use ${secret?.data?.['password']}`);
    return { seen: 'yes' };
  },
});

describe('S-05: whoever may read custom resources, Events and logs', () => {
  let cluster: TestCluster;
  let controller: TestController;
  beforeEach(async () => {
    cluster = await startCluster();
    await cluster.install(User.crd());
    controller = await cluster.run(logins);
    // Longer than a parser shows a line.
    const file = `user: ann\nurl: a: ${'swordfish-'.repeat(20)}\n`;
    const data = { password: Buffer.from(canary).toString('base64'), file: Buffer.from(file).toString('base64') };
    await cluster.apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data });
  });
  afterEach(() => cluster.stop());

  const login = (fails: string) => ({
    apiVersion: Login.apiVersion,
    kind: 'Login',
    metadata: { name: 'a' },
    spec: { fails },
  });
  const told = async () => JSON.stringify([await cluster.list(Login), await cluster.list(EventsEvent), controller.log]);

  it.each([
    ['compose', 'no user has the password (hidden)'],
    ['json', '(hidden) is not valid JSON'],
    ['yaml', 'Nested mappings are not allowed in compact mappings at line 2'],
    ['status', 'cannot use (hidden)'],
    ['child', 'spec.password: Invalid value: "(hidden)"'],
  ])('is not told what a Secret holds that is read, where %s fails', async (fails, words) => {
    await cluster.apply(login(fails));
    await cluster.settled();
    expect(conditionIn(await cluster.get(Login, 'a'))).toMatchObject({
      status: 'False',
      message: expect.stringContaining(words) as unknown,
    });
    for (const secret of [canary, Buffer.from(canary).toString('base64'), canary.slice(0, 6), 'swordfish']) {
      expect(await told()).not.toContain(secret);
    }
  });

  it.each(['enforce', 'report'])(
    'nor of a child that it was copied into, and that somebody changed (%s)',
    async (mode) => {
      await cluster.apply(login('nowhere'));
      await cluster.settled();
      await cluster.patch(Login, 'a', { metadata: { annotations: { [`${Login.group}/mode`]: mode } } });
      await cluster.settled();
      await cluster.patch(ConfigMap, 'a-note', { data: { file: 'password=none' } });
      await cluster.settled();
      expect(await told()).toContain('none');
      expect(await told()).not.toContain(canary);
      const look = { cluster: cluster.server.cluster(), operators: [logins], clock: cluster.clock };
      const { rows } = await lookForDrift(look);
      const differs = { field: 'data.file', desired: 'password=(hidden)', observed: 'password=none' };
      expect(rows).toEqual(mode === 'report' ? [expect.objectContaining(differs)] : []);
    },
  );

  it.each<readonly [string, object]>([
    ['another one now', { data: { password: Buffer.from('tomorrow-77').toString('base64') } }],
    ['none any more', { data: { password: null } }],
  ])('nor what it held before, where a child still has that, is only reported, and there is %s', async (_, change) => {
    await cluster.apply(login('nowhere'));
    await cluster.settled();
    await cluster.patch(Login, 'a', { metadata: { annotations: { [`${Login.group}/mode`]: 'report' } } });
    await cluster.settled();
    await cluster.patch(Secret, 'a', change);
    await cluster.settled();
    const [drifted] = [conditionIn(await cluster.get(Login, 'a'), 'Drifted')];
    expect(drifted?.message).toContain('data.file');
    for (const value of [canary, 'tomorrow-77']) expect(await told()).not.toContain(value);
    const look = { cluster: cluster.server.cluster(), operators: [logins], clock: cluster.clock };
    const { rows } = await lookForDrift(look);
    expect(rows).toEqual([expect.objectContaining({ field: 'data.file', observed: '(hidden)' })]);
  });

  it('nor told in kilter drift', async () => {
    await cluster.apply(login('compose'));
    const look = { cluster: cluster.server.cluster(), operators: [logins], clock: cluster.clock };
    expect((await lookForDrift(look)).problems).toEqual([
      expect.stringMatching(
        /^Login\/default\/a: compose of Login\/default\/a threw: no user has the password \(hidden\); it was thrown at /,
      ),
    ]);
  });
});

describe('what an author throws outside the cluster', () => {
  it('is told without the settings that are secrets by their names', async () => {
    const outside = operator(Login, {
      owns: [],
      settings: { API_TOKEN: 'What the service asks for.', BASE_URL: 'Where it is.' },
      external: {
        account: {
          observe: (_, { setting }) =>
            Promise.reject(new Error(`${setting('BASE_URL')} refuses ${setting('API_TOKEN')}`)),
          ensure: () => Promise.resolve(undefined),
          remove: () => Promise.resolve(),
          pollSeconds: 60,
        } satisfies ExternalOf<typeof Login, undefined>,
      },
      compose: () => ({}),
      status: () => ({ seen: '' }),
    });
    const cluster = await startCluster();
    const controller = await cluster.run(outside, { settings: { API_TOKEN: canary, BASE_URL: 'https://booking' } });
    await cluster.apply({
      apiVersion: Login.apiVersion,
      kind: 'Login',
      metadata: { name: 'a' },
      spec: { fails: 'nowhere' },
    });
    await cluster.advance(60);
    const all = JSON.stringify([await cluster.list(Login), await cluster.list(EventsEvent), controller.log]);
    await cluster.stop();
    expect(all).toContain('https://booking refuses (hidden)');
    expect(all).not.toContain(canary);
  });
});
