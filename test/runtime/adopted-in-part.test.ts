import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Deployment, Namespace } from '../../imports/k8s.js';
import type { DriftMode, DriftRule } from '../../src/index.js';
import { customResource, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';

/** Of what is adopted, what a rule leaves to others stays theirs, and all that is ours gets there all the same. */
const Tenant = customResource({
  group: 'tenancy.example.com',
  version: 'v1',
  kind: 'Tenant',
  namespaced: false,
  spec: s.object({
    tier: s.string({ default: 'gold' }),
    onDeletion: s.enum(['Delete', 'Orphan'], { default: 'Delete' }),
  }),
});
const tier = 'tenancy.example.com/tier';

const left = (mode: DriftMode): readonly DriftRule[] => [
  { kind: Namespace, field: 'metadata.labels', mode },
  { kind: Namespace, field: 'metadata.annotations', mode },
  { kind: Namespace, field: `metadata.labels["${tier}"]`, mode: 'enforce' },
];

const tenant = (rules: readonly DriftRule[], hasFinalizer: boolean) =>
  operator(Tenant, {
    owns: [Namespace],
    adopt: 'orphans',
    drift: { rules },
    ...(hasFinalizer ? { removal: '.spec.onDeletion' } : {}),
    compose(scope, { spec }) {
      const metadata = { name: 'legacy', labels: { [tier]: spec.tier, extra: 'ours' }, annotations: { about: 'ours' } };
      new Namespace(scope, 'home', { metadata });
    },
  });

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await startCluster();
});
afterEach(() => cluster.stop());

const legacy = () => cluster.get(Namespace, 'legacy');
const made = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'legacy', labels: { team: 'x' } } };
const acme = { apiVersion: Tenant.apiVersion, kind: Tenant.kind, metadata: { name: 'acme' } };

const ties = [
  ['an owner reference', false],
  ['owner labels', true],
] as const;

it.each(
  ties.flatMap(([tie, hasFinalizer]) => (['ignore', 'report'] as const).map((mode) => ({ tie, hasFinalizer, mode }))),
)(
  'by $tie: what the mode $mode leaves to others stays when it is adopted, and what is composed gets there',
  async ({ hasFinalizer, mode }) => {
    await cluster.run(tenant(left(mode), hasFinalizer));
    await cluster.apply(made);
    const more = { metadata: { labels: { [tier]: 'lead' }, annotations: { note: 'kept', about: 'theirs' } } };
    await cluster.patch(Namespace, 'legacy', more, { manager: 'kubectl-annotate' });

    await cluster.apply({ ...acme, spec: {} });
    await cluster.settled();
    const { labels, annotations } = (await legacy()).metadata;
    expect(labels).toMatchObject({ team: 'x', [tier]: 'gold', extra: 'ours' });
    expect(annotations).toMatchObject({ note: 'kept', about: 'theirs' });

    await cluster.patch(Tenant, 'acme', { spec: { tier: 'silver' } });
    await cluster.settled();
    expect((await legacy()).metadata.labels).toMatchObject({ team: 'x', [tier]: 'silver' });
  },
);

it('what is adopted keeps its number of replicas, where none is composed', async () => {
  const labels = { app: 'web' };
  const spec = {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1' }] } },
  };
  const scaled = operator(Tenant, {
    owns: [Deployment],
    adopt: 'orphans',
    compose(scope) {
      new Deployment(scope, 'web', { metadata: { name: 'web', namespace: 'default' }, spec });
    },
  });
  await cluster.apply({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: 5, ...spec },
  });
  await cluster.run(scaled);
  const fewest: number[] = [];
  cluster.server.store.listen(({ object }) => {
    if (object.kind === 'Deployment') fewest.push((object['spec'] as { replicas: number }).replicas);
  });
  await cluster.apply({ ...acme, spec: {} });
  await cluster.settled();
  expect(new Set(fewest)).toEqual(new Set([5]));
  expect((await cluster.get(Deployment, 'web')).metadata.ownerReferences).toHaveLength(1);
});

it('a child is written once for an edit, though a rule leaves all annotations to others', async () => {
  await cluster.run(tenant(left('ignore'), false));
  await cluster.apply({ ...acme, spec: {} });
  await cluster.settled();
  const before = cluster.writes().length;
  await cluster.patch(Tenant, 'acme', { spec: { tier: 'silver' } });
  await cluster.settled();
  expect((await legacy()).metadata).toMatchObject({ labels: { [tier]: 'silver' }, annotations: { about: 'ours' } });
  // Before it what the child was created with is made part of what is applied.
  const written = cluster.writes(before).filter(({ kind }) => kind === 'Namespace');
  expect(written.map(({ verb }) => verb)).toEqual(['patch', 'apply']);
});

it('whose a child is stays said, though a rule leaves all labels to others', async () => {
  await cluster.run(tenant(left('ignore'), true));
  await cluster.apply({ ...acme, spec: {} });
  await cluster.settled();
  const uid = 'tenancy.example.com/owner-uid';
  await cluster.patch(Namespace, 'legacy', { metadata: { labels: { [uid]: 'a-strangers', extra: 'theirs' } } });
  await cluster.settled();
  const { metadata } = await cluster.get(Tenant, 'acme');
  expect((await legacy()).metadata.labels).toMatchObject({ [uid]: metadata.uid, extra: 'theirs' });
  expect(conditionIn(await cluster.get(Tenant, 'acme'))).toMatchObject({ status: 'True' });
});

it('an item that is not composed goes as a whole when it is adopted, also where a rule leaves a part of it to others', async () => {
  const labels = { app: 'web' };
  const template = (containers: readonly { readonly name: string; readonly image: string }[], resources?: object) => ({
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: { containers: containers.map((each) => ({ ...each, ...(resources ? { resources } : {}) })) },
    },
  });
  const web = { name: 'web', image: 'nginx:1' };
  const field = 'spec.template.spec.containers[*].resources';
  const fitted = operator(Tenant, {
    owns: [Deployment],
    adopt: 'orphans',
    drift: { rules: [{ kind: Deployment, field, mode: 'ignore' }] },
    compose(scope) {
      new Deployment(scope, 'web', { metadata: { name: 'web', namespace: 'default' }, spec: template([web]) });
    },
  });
  const resources = { limits: { memory: '64Mi' } };
  const spec = template([web, { name: 'sidecar', image: 'envoy:1' }], resources);
  await cluster.apply({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec });
  await cluster.run(fitted);
  await cluster.apply({ ...acme, spec: {} });
  await cluster.settled();
  const { spec: adopted } = await cluster.get(Deployment, 'web');
  expect(adopted?.template.spec?.containers).toMatchObject([{ name: 'web', resources }]);
  expect(conditionIn(await cluster.get(Tenant, 'acme'))).toMatchObject({ status: 'True' });
});
