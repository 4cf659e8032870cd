import { beforeAll, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, one, operator, s } from '../../src/index.js';
import { shareWith } from '../../src/kube/consent.js';
import { eventually } from '../cluster/eventually.js';
import { onEveryCluster } from '../cluster/on-real-cluster.js';
import { Stage } from '../cluster/stage.js';

const Reader = customResource({
  group: 'sight.example.com',
  version: 'v1',
  kind: 'Reader',
  spec: s.object({ from: s.string() }),
  status: s.object({ text: s.string({ optional: true }) }),
});
const reader = operator(Reader, {
  owns: [],
  reach: 'consent',
  reads: { source: one(ConfigMap, ({ spec }) => ({ namespace: spec.from, name: 'source' })) },
  compose() {},
  status: (_, { source }) => ({ text: source?.data?.['text'] }),
});

onEveryCluster("what an author's code sees with consent", {}, (plane) => {
  let limited = 0;
  const limit = <T>(_: unknown, body: () => T): T => {
    limited++;
    return body();
  };
  const stage = new Stage(plane, [Reader.crd()], { limit });
  beforeAll(() => stage.start([reader]), 60_000);

  it('is news to it, for which it is limited again', async () => {
    const who = { namespace: 'default', name: 'r' };
    const text = async () => (await stage.status<{ text?: string; observedGeneration?: number }>(Reader, who)).text;
    await stage.namespace('there');
    await stage.create(ConfigMap, { metadata: { namespace: 'there', name: 'source' }, data: { text: 'told' } });
    await stage.wish(Reader, who, { from: 'there' });
    await eventually(async () =>
      expect(await stage.condition(Reader, who)).toMatchObject({ reason: 'ConsentMissing' }),
    );
    await stage.quiet();
    const before = limited;
    await stage.namespace('there', { [shareWith]: 'default' });
    await eventually(async () => expect(await text()).toBe('told'));
    expect(limited).toBeGreaterThan(before);
  });
});
