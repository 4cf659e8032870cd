import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Deployment, Namespace, Secret } from '../../../imports/k8s.js';
import { customResource, one, operator, s } from '../../../src/index.js';
import { Memcached, memcached } from '../../../src/operators/memcached.js';
import { ToldWarnings } from '../../../src/runtime/children/told-warnings.js';
import { startCluster, type TestCluster, type TestController } from '../../../src/testing/index.js';

describe('what the API server warns of', () => {
  let cluster: TestCluster;
  let controller: TestController;
  const wish = (name: string) =>
    cluster.apply({ apiVersion: Memcached.apiVersion, kind: 'Memcached', metadata: { name }, spec: { size: 1 } });
  const warnOfPods = () =>
    cluster.patch(Namespace, 'default', { metadata: { labels: { 'pod-security.kubernetes.io/warn': 'restricted' } } });
  const heard = () => controller.log.filter(({ message }) => message === 'Heard a warning from the API server');

  beforeEach(async () => {
    cluster = await startCluster();
  });
  afterEach(() => cluster.stop());

  it('S-04: is told in the log, once for all custom resources', async () => {
    controller = await cluster.run(memcached);
    await warnOfPods();
    await wish('a');
    await wish('b');
    await cluster.settled();
    await cluster.delete(Deployment, 'a-server');
    await cluster.settled();
    expect(heard().map(({ level, data }) => [level, data['child'], data['warning']])).toEqual([
      ['warn', 'Deployment/a-server', expect.stringMatching(/^would violate PodSecurity "restricted:latest": /)],
    ]);
  });

  it.each([
    ['is told without what a Secret holds', [], [expect.stringContaining('container "(hidden)" must set')]],
    ['is not told of what is sensitive', [{ kind: Deployment, field: 'spec.template' }], []],
  ])('%s', async (_, sensitive, told) => {
    const Box = customResource({ group: 'x.example.com', version: 'v1', kind: 'Box', spec: s.object({}) });
    const labels = { box: 'a' };
    const boxes = operator(Box, {
      owns: [Deployment],
      drift: { sensitive },
      reads: { secret: one(Secret, () => ({ name: 'a' })) },
      compose(scope, __, { secret }) {
        const name = Buffer.from(secret?.data?.['word'] ?? '', 'base64').toString();
        const template = { metadata: { labels }, spec: { containers: [{ name, image: 'busybox' }] } };
        new Deployment(scope, 'box', { spec: { selector: { matchLabels: labels }, template } });
      },
    });
    controller = await cluster.run(boxes);
    await warnOfPods();
    const data = { word: Buffer.from('canary-5f1e').toString('base64') };
    await cluster.apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data });
    await cluster.apply({ apiVersion: Box.apiVersion, kind: 'Box', metadata: { name: 'a' }, spec: {} });
    await cluster.settled();
    expect(await cluster.find(Deployment, 'a-box')).toBeDefined();
    expect(heard().map((line) => line.data['warning'])).toEqual(told);
    expect(JSON.stringify(controller.log)).not.toContain('canary');
  });

  it('is nothing where nothing is warned of', async () => {
    controller = await cluster.run(memcached);
    await wish('a');
    await cluster.settled();
    expect(heard()).toEqual([]);
  });
});

describe('warnings that were told', () => {
  it('are told again when a thousand others were since', () => {
    const told = new ToldWarnings();
    const news = [0, 1, 0].map((number) => told.isNews('Pod', `${number}`));
    expect(news).toEqual([true, true, false]);
    for (let number = 2; number < 1001; number++) told.isNews('Pod', `${number}`);
    expect([told.isNews('Pod', '0'), told.isNews('Pod', '1'), told.isNews('Service', '0')]).toEqual([
      false,
      true,
      true,
    ]);
  });
});
