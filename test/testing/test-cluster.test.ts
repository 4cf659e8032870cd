import { describe, expect, it } from '@jest/globals';
import { ConfigMap, CronJob, Deployment, Pod, Service } from '../../imports/k8s.js';
import { customResource, one, operator, s } from '../../src/index.js';
import { OperatorError } from '../../src/kube/errors.js';
import { Memcached, memcached } from '../../src/operators/memcached.js';
import { startCluster } from '../../src/testing/test-cluster.js';

const sample = {
  apiVersion: Memcached.apiVersion,
  kind: 'Memcached',
  metadata: { name: 'cache' },
  spec: { size: 3 },
};

it('runs an operator that puts back what others change, and makes again what they delete, within a second', async () => {
  const cluster = await startCluster();
  await cluster.run(memcached);
  await cluster.apply(sample);
  await cluster.settled();
  const start = cluster.clock.monotonic();
  await cluster.patch(Deployment, 'cache-server', { spec: { replicas: 9 } });
  await cluster.delete(Service, 'cache-service');
  await cluster.until(async () => {
    const { spec } = await cluster.get(Deployment, 'cache-server');
    return spec?.replicas === 3 && (await cluster.find(Service, 'cache-service')) !== undefined;
  }, 'all is as it was');
  expect(cluster.clock.monotonic() - start).toBeLessThan(1000);
  await cluster.stop();
});

it('runs an operator to rest, and puts back what others change', async () => {
  const cluster = await startCluster();
  await cluster.run(memcached);
  await cluster.apply(sample);
  await cluster.settled();

  const cache = await cluster.get(Memcached, 'cache');
  expect(cache.status?.readyReplicas).toBe(3);
  expect((await cluster.list(Pod)).length).toBe(3);

  await cluster.patch(Deployment, 'cache-server', { spec: { replicas: 9 } });
  await cluster.settled();
  expect((await cluster.get(Deployment, 'cache-server')).spec?.replicas).toBe(3);

  await cluster.delete(Service, 'cache-service');
  await cluster.settled();
  expect(await cluster.find(Service, 'cache-service')).toBeDefined();

  const before = cluster.writes().length;
  await cluster.advance(3600);
  expect(cluster.writes(before)).toEqual([]);
  await cluster.delete(Memcached, 'cache');
  await cluster.settled();
  expect(await cluster.list(Pod)).toEqual([]);
  expect(await cluster.list(Deployment)).toEqual([]);
  await cluster.stop();
});

it('takes what is written as a client sends it: without what is undefined, and dates as texts', async () => {
  const cluster = await startCluster();
  const head = {
    apiVersion: ConfigMap.apiVersion,
    kind: ConfigMap.kind,
    metadata: { name: 'a', namespace: undefined },
  };
  await cluster.apply({ ...head, data: { day: new Date(0), gone: undefined } } as never);
  await cluster.patch(ConfigMap, 'a', { data: { more: 'x', day: undefined } });
  expect((await cluster.get(ConfigMap, 'a')).data).toEqual({ day: '1970-01-01T00:00:00.000Z', more: 'x' });
  await cluster.stop();
});

it('says so where a definition is not served, since another one has its names', async () => {
  const cluster = await startCluster();
  const [first, second] = ['things', 'others'].map((plural) =>
    customResource({ group: 'example.com', version: 'v1', kind: 'Thing', plural, spec: s.object({}) }),
  );
  await cluster.install(first!.crd());

  const answer = cluster.install(second!.crd());
  await expect(answer).rejects.toThrow(OperatorError);
  await expect(answer).rejects.toThrow('CustomResourceDefinition/others.example.com is not served: NamesAccepted: ');
  await cluster.stop();
});

it('says what others wrote last, where it comes to no rest', async () => {
  const cluster = await startCluster();
  const containers = [{ name: 'tick', image: 'busybox:1' }];
  await cluster.apply({
    apiVersion: CronJob.apiVersion,
    kind: CronJob.kind,
    metadata: { name: 'tick' },
    spec: {
      schedule: '* * * * *',
      jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers } } } },
    },
  });
  await expect(cluster.settled({ timeoutSeconds: 600 })).rejects.toMatchObject({
    message: 'It did not happen within 600 s that the cluster comes to rest for 60 s',
    hint: expect.stringMatching(/last changes by anybody: .*CronJob\/default\/tick changed/),
  });
  await cluster.stop();
});

it('ends a controller that would write for ever while time stands still', async () => {
  // Each counts on what the other has written.
  const sides = (['ping', 'pong'] as const).map((side) => {
    const kind = side === 'ping' ? 'Ping' : 'Pong';
    const Side = customResource({
      group: 'example.com',
      version: 'v1',
      kind,
      spec: s.object({}),
      status: s.object({}),
    });
    return operator(Side, {
      owns: [ConfigMap],
      reads: { other: one(ConfigMap, () => ({ name: side === 'ping' ? 'one-pong' : 'one-ping' })) },
      compose(scope, _, { other }) {
        new ConfigMap(scope, side, { data: { count: String(Number(other?.data?.['count'] ?? 0) + 1) } });
        return {};
      },
      status: () => ({}),
    });
  });
  const cluster = await startCluster();
  const controller = await cluster.run(sides);
  const both = ['Ping', 'Pong'].map((kind) => ({
    apiVersion: 'example.com/v1',
    kind,
    metadata: { name: 'one' },
    spec: {},
  }));
  const applied = async () => {
    for (const each of both) await cluster.apply(each);
  };
  await expect(applied()).rejects.toThrow(
    /^controller-1 would never end: apply ConfigMap\/default\/one-p[io]ng came 1001 times while time stood still/,
  );
  expect(controller.isRunning).toBe(false);
  await cluster.settled();
});

describe('an operator that composes its own kind', () => {
  const Tree = customResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Tree',
    spec: s.object({ branches: s.int32(), height: s.int32({ default: 0 }) }),
  });
  const growing = (heightOf: (height: number) => number) =>
    operator(Tree, {
      name: 'gardener',
      owns: [Tree],
      compose(scope, { spec: { branches, height } }) {
        if (heightOf(height) < 0) return;
        for (let branch = 0; branch < branches; branch++) {
          new Tree(scope, `b${branch}`, { spec: { branches, height: heightOf(height) } });
        }
      },
    });
  const tree = (branches: number, height = 0) => ({
    apiVersion: Tree.apiVersion,
    kind: Tree.kind,
    metadata: { name: 'oak' },
    spec: { branches, height },
  });

  it.each([1, 2])('is named where that has no end, with %d for each', async (branches) => {
    const cluster = await startCluster();
    const controller = await cluster.run(growing(() => 0));
    const error = await cluster.apply(tree(branches)).then(
      () => cluster.settled(),
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({
      message: expect.stringMatching(
        /^gardener would never end: Tree\/default\/oak-b\d-\S+ is one of \d+ that came of a Tree each while time stood still$/,
      ),
      hint: 'compose no Tree for the last of them: what says which that is has to change from one to the next',
    });
    expect(controller.isRunning).toBe(false);
    await cluster.stop();
  });

  it('may do so where that ends', async () => {
    const cluster = await startCluster();
    await cluster.run(growing((height) => height - 1));
    await cluster.apply(tree(2, 5));
    await cluster.settled();
    expect(await cluster.list(Tree)).toHaveLength(2 ** 6 - 1);
    await cluster.stop();
  });
});
