import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap, Secret } from '../../imports/k8s.js';
import { customResource, one, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster, type TestController } from '../../src/testing/index.js';

const Store = customResource({
  group: 'stores.example.com',
  version: 'v1',
  kind: 'Store',
  spec: s.object({ size: s.int32({ default: 1 }) }),
});

/** As the page about an operator of one's own has it: what is made once is read back. */
const store = operator(Store, {
  owns: [Secret, ConfigMap],
  reads: { login: one(Secret, (cr) => ({ name: `${cr.metadata.name}-login` })) },
  compose(scope, { spec }, { login }) {
    const password = login?.data?.['password'] ?? randomBytes(24).toString('base64');
    new Secret(scope, 'login', { data: { password } });
    new ConfigMap(scope, 'settings', { data: { size: String(spec.size) } });
  },
});

let cluster: TestCluster;
let controller: TestController;
beforeEach(async () => {
  cluster = await startCluster();
  controller = await cluster.run(store);
});
afterEach(() => cluster.stop());

const want = (size: number) =>
  cluster.apply({ apiVersion: Store.apiVersion, kind: Store.kind, metadata: { name: 'a' }, spec: { size } });
const made = async () => (await cluster.find(Secret, 'a-login'))?.data?.['password'];
const write = { verb: 'create', kind: Secret } as const;

it.each<[string, () => unknown]>([
  ['nothing goes wrong', () => {}],
  ['the answer is lost', () => controller.faults.loseAnswer(write)],
  ['the call is lost', () => controller.faults.loseCall(write)],
  ['the process ends before it', () => controller.faults.crashBefore(write)],
  ['the process ends after it', () => controller.faults.crashAfter(write)],
  ['the watch is late', () => controller.faults.holdWatch(Secret)],
  ['lists show the past', () => controller.faults.goBack(Secret)],
])('a password that is made once stays as it was made, also where %s', async (_, befall) => {
  const end = befall();
  await want(1);
  await cluster.advance(20);
  const first = await made();
  await want(2);
  await cluster.advance(20);
  if (!controller.isRunning) controller.restart();
  await want(3);
  await cluster.advance(20);
  if (typeof end === 'function') (end as () => void)();
  await cluster.settled();

  const last = await made();
  expect(last).toMatch(/^\S{32}$/);
  expect([undefined, last]).toContain(first);
  expect((await cluster.get(ConfigMap, 'a-settings')).data).toEqual({ size: '3' });
  expect(cluster.writes().filter(({ kind }) => kind === 'Secret')).toHaveLength(1);
});
