import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, many, one, operator, s } from '../../src/index.js';
import type { Condition } from '../../src/kube/condition.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';

const Page = customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Page',
  spec: s.object({ template: s.string({ optional: true }), tag: s.string({ optional: true }) }),
  status: s.object({ text: s.string(), tagged: s.int32() }),
});
const page = operator(Page, {
  owns: [],
  reads: {
    template: one(ConfigMap, ({ spec }) => spec.template && { name: spec.template }, { required: true }),
    tagged: many(ConfigMap, ({ spec }) => spec.tag && { labels: { tag: spec.tag } }),
  },
  allowEmpty: true,
  compose() {},
  status: (_, { template, tagged }) => ({ text: template?.data?.['text'] ?? 'bare', tagged: tagged.length }),
});

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await startCluster();
  await cluster.run([page]);
});
afterEach(() => cluster.stop());

const aPage = (spec: { readonly template?: string; readonly tag?: string }) => ({
  apiVersion: Page.apiVersion,
  kind: Page.kind,
  metadata: { name: 'a', namespace: 'default' },
  spec,
});
const status = async () => {
  const { status = {} } = (await cluster.get(Page, 'a')) as {
    status?: { text?: string; tagged?: number; conditions?: readonly Condition[] };
  };
  const { reason, message } = conditionIn({ status }) ?? {};
  return { text: status.text, tagged: status.tagged, reason, message };
};
const template = (name: string, labels = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', labels },
  data: { text: name },
});

describe('a reference that a custom resource need not have', () => {
  it('is waited for by those that have it, and by nobody else', async () => {
    await cluster.apply(aPage({}));
    await cluster.settled();
    expect(await status()).toMatchObject({ text: 'bare', tagged: 0, reason: 'ReconciliationSucceeded' });

    await cluster.apply(aPage({ template: 'fine', tag: 'x' }));
    await cluster.settled();
    expect(await status()).toMatchObject({
      reason: 'DependencyNotReady',
      message: 'ConfigMap/default/fine is not there',
    });

    await cluster.apply(template('fine', { tag: 'x' }));
    await cluster.settled();
    expect(await status()).toMatchObject({ text: 'fine', tagged: 1, reason: 'ReconciliationSucceeded' });

    await cluster.apply(aPage({ tag: 'none' }));
    await cluster.settled();
    await cluster.apply(template('fine', { tag: 'y' }));
    await cluster.settled();
    expect(await status()).toMatchObject({ text: 'bare', tagged: 0, reason: 'ReconciliationSucceeded' });
  });
});
