import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap, EventsEvent } from '../../../imports/k8s.js';
import { customResource, operator, s } from '../../../src/index.js';
import { startCluster, type TestCluster, type TestController } from '../../../src/testing/index.js';

const Leaf = customResource({
  group: 'print.example.com',
  version: 'v1',
  kind: 'Leaf',
  plural: 'leaves',
  spec: s.object({ text: s.string() }),
});
const leaf = operator(Leaf, {
  owns: [ConfigMap],
  compose: (scope, { spec }) => void new ConfigMap(scope, 'page', { data: { text: spec.text } }),
});
const always = Number.POSITIVE_INFINITY;

describe('statuses that the API server does not take', () => {
  let cluster: TestCluster;
  let controller: TestController;
  beforeEach(async () => {
    cluster = await startCluster();
    controller = await cluster.run(leaf);
  });
  afterEach(() => cluster.stop());

  const edit = async (count: number, text: string) => {
    for (let index = 0; index < count; index++) {
      const metadata = { name: `l${index}`, namespace: 'default' };
      await cluster.apply({ apiVersion: Leaf.apiVersion, kind: Leaf.kind, metadata, spec: { text } });
    }
  };
  const fail = (code = 500) => controller.faults.refuse({ verb: 'write' }, { code, times: always });
  const told = () =>
    controller.log
      .filter(({ level, message }) => level !== 'debug' && /^(Failed|Wr)/.test(message))
      // Events are refused as statuses are, and told apart.
      .filter(({ message }) => message !== 'Failed to write an event')
      .map(({ message, data }) => `${message} ${data['customResources'] ?? data['name']}`);
  const byName = (what: string) => Array.from({ length: 5 }, (_, index) => `${what} l${index}`);

  it('are told of by name where they are few, and each as it is taken again', async () => {
    fail();
    await edit(3, 'once');
    await cluster.advance(60);
    expect(told()).toEqual([0, 1, 2].map((index) => `Failed to write the status l${index}`));
    controller.faults.clear();
    await cluster.advance(120);
    expect(told().slice(3).sort()).toEqual([0, 1, 2].map((index) => `Wrote the status again l${index}`));
  });

  it('are counted where they are many, and told of once when all are taken, in the log and in Events', async () => {
    for (const text of ['once', 'again']) {
      const before = told().length;
      fail();
      await edit(24, text);
      await cluster.advance(40);
      expect(told().slice(before)).toEqual([
        ...byName('Failed to write the status'),
        'Failed to write many statuses 10',
      ]);
      controller.faults.clear();
      await cluster.advance(60);
      expect(
        told()
          .slice(before + 6)
          .sort(),
      ).toEqual(['Writing statuses again 24', ...byName('Wrote the status again')]);
    }
    const warnings = (await cluster.list(EventsEvent)).filter(({ type }) => type === 'Warning');
    expect(new Set(warnings.map(({ regarding }) => regarding?.name)).size).toBeLessThanOrEqual(5);
  });

  it('are told of by name, too, where the few that were counted are all that is left', async () => {
    fail();
    await edit(8, 'once');
    await cluster.advance(60);
    expect(told()).toEqual(byName('Failed to write the status'));
    controller.faults.clear();
    for (const name of ['l5', 'l6', 'l7'])
      controller.faults.refuse({ verb: 'write', name }, { code: 500, times: always });
    await cluster.advance(3600);
    expect(
      told()
        .filter((line) => line.startsWith('Failed'))
        .slice(5)
        .sort(),
    ).toEqual([5, 6, 7].map((index) => `Failed to write the status l${index}`));
    controller.faults.clear();
    await cluster.advance(3600);
    expect(told().slice(-3).sort()).toEqual([5, 6, 7].map((index) => `Wrote the status again l${index}`));
  });

  it('are told of each by name where that is of its own', async () => {
    fail(403);
    await edit(20, 'once');
    await cluster.advance(60);
    expect(told()).toHaveLength(20);
  });

  it('are told to be taken again where the last of them is gone', async () => {
    fail();
    await edit(12, 'once');
    await cluster.advance(60);
    for (let index = 0; index < 12; index++) await cluster.delete(Leaf, `l${index}`);
    controller.faults.clear();
    await cluster.settled();
    expect(told().at(-1)).toBe('Writing statuses again 12');
  });
});
