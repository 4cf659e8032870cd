import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';

const Page = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Page',
  spec: s.object({
    texts: s.map(s.object({ namespace: s.string({ optional: true }), removal: s.string({ optional: true }) })),
    policy: s.enum(['Delete', 'Orphan'], { default: 'Delete' }),
  }),
  status: s.object({ texts: s.map(s.string()) }),
});
type Texts = Readonly<Record<string, { readonly namespace?: string; readonly removal?: string }>>;
const page = (more: Pick<Parameters<typeof operator>[1], 'reach' | 'removal' | 'adopt' | 'recreate'> = {}) =>
  operator(Page, {
    owns: [ConfigMap],
    ...more,
    compose(scope, { spec }) {
      const texts = Object.entries(spec.texts).map(([name, { namespace, removal }]) => {
        const annotations = removal === undefined ? {} : { 'kilter.dev/removal': removal };
        const metadata = { name: `p-${name}`, annotations, ...(namespace === undefined ? {} : { namespace }) };
        return [name, new ConfigMap(scope, name, { metadata, data: { text: 'ours' } })] as const;
      });
      return Object.fromEntries(texts);
    },
    status: (texts) => ({
      texts: Object.fromEntries(
        Object.entries(texts).flatMap(([name, text]) => (text?.data?.['text'] ? [[name, text.data['text']]] : [])),
      ),
    }),
  });

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await startCluster();
});
afterEach(() => cluster.stop());

const want = async (texts: Texts, mode?: string, policy = 'Delete') => {
  const annotations = mode === undefined ? {} : { 'web.example.com/mode': mode };
  await cluster.apply({
    apiVersion: Page.apiVersion,
    kind: Page.kind,
    metadata: { name: 'p', annotations },
    spec: { texts, policy },
  });
  await cluster.settled();
};
const told = async () => (await cluster.get(Page, 'p')).status?.texts;

describe('consent and status: of a namespace that does not accept', () => {
  const other = (annotations: Readonly<Record<string, string>>) =>
    cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other', annotations } });
  const theirs = () =>
    cluster.apply({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'p-far', namespace: 'other' },
      data: { text: 'theirs' },
    });

  it.each<[string, 'never' | 'orphans', string | undefined]>([
    ['nothing is shown that has the name of a child', 'never', undefined],
    ['nothing is shown that could be adopted', 'orphans', undefined],
    ['nothing is shown that could be adopted, where drift is reported', 'orphans', 'report'],
  ])('%s', async (_, adopt, mode) => {
    await cluster.run(page({ reach: 'consent', adopt }));
    await other({});
    await theirs();
    await want({ far: { namespace: 'other' } }, mode);
    expect(conditionIn(await cluster.get(Page, 'p'))?.reason).toBe('ConsentMissing');
    expect(await told()).toEqual({});
  });

  it('a child is shown that was accepted before', async () => {
    await cluster.run(page({ reach: 'consent' }));
    await other({ 'kilter.dev/accept-from': 'default' });
    await want({ far: { namespace: 'other' } });
    await other({});
    await cluster.settled();
    expect(conditionIn(await cluster.get(Page, 'p'))?.reason).toBe('ConsentMissing');
    expect(await told()).toEqual({ far: 'ours' });
  });
});

it('adoption and recreate: what was never ours is not made anew, and nobody is told to let it be', async () => {
  await cluster.run(page({ adopt: 'orphans', recreate: [ConfigMap] }));
  const theirs = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'p-a' },
    immutable: true,
    data: { text: 'theirs' },
  };
  await cluster.apply(theirs);
  await want({ a: {} });
  expect(conditionIn(await cluster.get(Page, 'p'))?.message).toBe(
    'ConfigMap/default/p-a cannot be changed: data is immutable; compose it as it is, give the child another name, or delete it by hand',
  );
  expect((await cluster.get(ConfigMap, 'p-a')).data).toEqual({ text: 'theirs' });
});

describe('drift that is reported and children that stay: of one that is composed no more', () => {
  it.each<[string, string | undefined, string, string | undefined]>([
    ['nothing is told that would be retained', 'retain', 'Delete', undefined],
    ['nothing is told that would be an orphan', 'orphan', 'Delete', undefined],
    ['it is told that would be deleted', undefined, 'Delete', 'ConfigMap/p-b no longer desired'],
  ])('%s', async (_, removal, policy, difference) => {
    await cluster.run(page());
    const b = removal === undefined ? {} : { removal };
    await want({ a: {}, b }, undefined, policy);
    await want({ a: {} }, 'report', policy);
    const drifted = conditionIn(await cluster.get(Page, 'p'), 'Drifted');
    expect(drifted?.message).toBe(difference && `1 difference is left alone: ${difference}`);
    expect(await cluster.find(ConfigMap, 'p-b')).toBeDefined();
  });

  it('nothing is told that would stay by a field of its custom resource', async () => {
    await cluster.run(page({ removal: '.spec.policy' }));
    await want({ a: {}, b: {} }, undefined, 'Orphan');
    await want({ a: {} }, 'report', 'Orphan');
    expect(conditionIn(await cluster.get(Page, 'p'), 'Drifted')).toBeUndefined();
  });
});
