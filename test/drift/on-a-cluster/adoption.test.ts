import { expect, it } from '@jest/globals';
import {
  ConfigMap,
  Deployment,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../../imports/k8s.js';
import { customResource, operator, s } from '../../../src/index.js';
import type { AdoptMode } from '../../../src/kube/adopt.js';
import { eventually } from '../../cluster/eventually.js';
import { onEveryCluster } from '../../cluster/on-real-cluster.js';
import { Stage } from '../../cluster/stage.js';

const Shop = customResource({
  group: 'shops.example.com',
  version: 'v1',
  kind: 'Shop',
  spec: s.object({ limit: s.int32({ default: 3 }), hasLimit: s.boolean({ default: true }) }),
});
const labels = { app: 'web' };
const podSpec = (env: readonly { readonly name: string; readonly value: string }[] = []) => ({
  containers: [{ name: 'web', image: 'nginx:1', env: [...env] }],
});

const shop = (
  adopt: AdoptMode,
  { name = 'shop', formerly = [] as readonly string[], replicas = 2, isRecreating = false } = {},
) =>
  operator(Shop, {
    name,
    owns: [Deployment],
    adopt,
    formerly,
    recreate: isRecreating ? [Deployment] : [],
    drift: { rules: [{ kind: Deployment, field: 'spec.replicas', mode: 'ignore' }] },
    compose(scope, cr) {
      new Deployment(scope, 'default', {
        spec: {
          replicas,
          ...(cr.spec.hasLimit ? { revisionHistoryLimit: cr.spec.limit } : {}),
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: podSpec() },
        },
      });
    },
  });

onEveryCluster('an object that was there before its custom resource', {}, (plane, isReal) => {
  const stage = new Stage(plane, [Shop.crd()]);
  const namespace = 'default';
  const run = async (operated: ReturnType<typeof shop>) => {
    await stage.stop();
    await stage.start([operated]);
  };
  const get = (name: string) => stage.get(Deployment, name);
  /** As others made it: with a note in its environment and a limit of their own. */
  const deployment = (name: string, metadata: object = {}) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, ...metadata },
    spec: {
      replicas: 5,
      revisionHistoryLimit: 7,
      minReadySeconds: 9,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: podSpec([{ name: 'NOTE', value: 'theirs' }]) },
    },
  });
  const makers: Readonly<Record<string, (name: string) => Promise<unknown>>> = {
    'kubectl apply': (name) => plane().kubectl(['apply', '-f', '-'], { stdin: JSON.stringify(deployment(name)) }),
    'kubectl apply --server-side': (name) =>
      plane().kubectl(['apply', '--server-side', '-f', '-'], { stdin: JSON.stringify(deployment(name)) }),
    'kubectl create': (name) => plane().kubectl(['create', '-f', '-'], { stdin: JSON.stringify(deployment(name)) }),
    Helm: (name) =>
      stage.create(Deployment, deployment(name, { annotations: { 'meta.helm.sh/release-name': 'web' } }), 'helm'),
  };

  it.each(Object.keys(makers).map((maker, index) => [maker, `taken-${index}`] as const))(
    'by %s is taken as an orphan, and nothing of it stays that is not composed, but for what is ignored',
    async (maker, name) => {
      await makers[maker]!(name);
      await run(shop('orphans'));
      await stage.wish(Shop, name, {});
      await eventually(async () => {
        const { metadata, spec } = await get(name);
        expect(metadata.ownerReferences).toMatchObject([{ kind: 'Shop', name, controller: true }]);
        expect(spec).toMatchObject({ replicas: 5, revisionHistoryLimit: 3 });
        expect(spec?.minReadySeconds ?? 0).toBe(0);
        expect(spec?.template.spec?.containers[0]?.env ?? []).toEqual([]);
        expect(metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration']).toBeUndefined();
        expect(metadata.annotations?.['meta.helm.sh/release-name']).toBeUndefined();
      });
      await stage.wish(Shop, name, { hasLimit: false });
      await eventually(async () => expect((await get(name)).spec?.revisionHistoryLimit).toBe(10));
    },
  );

  it('is not deleted to be made anew, for it was never ours', async () => {
    const theirs = { app: 'theirs' };
    const { spec, ...rest } = deployment('kept');
    const template = { ...spec.template, metadata: { labels: theirs } };
    const made = { ...rest, spec: { ...spec, selector: { matchLabels: theirs }, template } };
    await stage.create(Deployment, made, 'them');
    const { uid } = (await get('kept')).metadata;
    await run(shop('orphans', { isRecreating: true }));
    await stage.wish(Shop, 'kept', {});
    await eventually(async () =>
      expect(await stage.condition(Shop, 'kept')).toMatchObject({ status: 'False', reason: 'ImmutableField' }),
    );
    expect((await get('kept')).metadata.uid).toBe(uid);
  });

  // The embedded server holds nothing but custom resources against policies.
  if (isReal) {
    it('stays with who had it where a policy refuses it to us', async () => {
      const named = { metadata: { name: 'no-change' } };
      await stage.create(ValidatingAdmissionPolicy, {
        ...named,
        spec: {
          matchConstraints: {
            resourceRules: [
              { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['deployments'] },
            ],
          },
          matchConditions: [{ name: 'it', expression: "object.metadata.name == 'guarded'" }],
          validations: [
            { expression: 'object.spec.revisionHistoryLimit == oldObject.spec.revisionHistoryLimit', message: 'stay' },
          ],
        },
      });
      const binding = { policyName: 'no-change', validationActions: ['Deny'] };
      await stage.create(ValidatingAdmissionPolicyBinding, { ...named, spec: binding });
      await makers['kubectl apply']!('guarded');
      let limit = 10;
      await eventually(async () => {
        limit += 1;
        await expect(stage.change(Deployment, 'guarded', { spec: { revisionHistoryLimit: limit } })).rejects.toThrow();
      });
      const { metadata, spec } = await get('guarded');
      await run(shop('orphans'));
      await stage.wish(Shop, 'guarded', {});
      await stage.says(Shop, 'guarded', 'ApplyFailed', 'stay');
      const after = await get('guarded');
      expect(after.spec).toEqual(spec);
      // Not even for a moment was anything of it ours.
      expect(after.metadata).toEqual(metadata);
    });
  }

  it('is not touched where nothing says otherwise, and its name is refused', async () => {
    await makers['kubectl apply']!('left');
    const before = await get('left');
    await run(shop('never'));
    await stage.wish(Shop, 'left', {});
    const words = 'Deployment/default/left is not ours: it exists, and belongs to nobody';
    await stage.says(Shop, 'left', 'ApplyConflict', words);
    expect((await get('left')).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });

  it.each(['orphans', 'always'] as const)('is not taken from its controller with adopt: %s', async (adopt) => {
    const name = `theirs-${adopt}`;
    const owner = await stage.create(ConfigMap, { metadata: { name: `owner-${adopt}`, namespace } }, 'them');
    const reference = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: `owner-${adopt}`,
      uid: owner.metadata.uid,
      controller: true,
    };
    await stage.create(Deployment, deployment(name, { ownerReferences: [reference] }), 'them');
    await run(shop(adopt));
    await stage.wish(Shop, name, {});
    await eventually(async () =>
      expect((await stage.condition(Shop, name))?.message).toContain(
        `it exists, and belongs to ConfigMap/owner-${adopt}`,
      ),
    );
    expect((await get(name)).spec?.minReadySeconds).toBe(9);
  });

  it('by the same operator under an older name is inherited', async () => {
    await run(shop('never', { name: 'old-shop' }));
    await stage.wish(Shop, 'inherited', { limit: 4 });
    await eventually(async () => expect((await get('inherited')).spec?.revisionHistoryLimit).toBe(4));
    await run(shop('never', { formerly: ['old-shop'] }));
    await eventually(async () => {
      const managers = (await get('inherited')).metadata.managedFields?.map(({ manager }) => manager);
      expect(managers).toContain('shop');
      expect(managers).not.toContain('old-shop');
    });
    await stage.wish(Shop, 'inherited', { hasLimit: false });
    await eventually(async () => expect((await get('inherited')).spec?.revisionHistoryLimit).toBe(10));
  });
});
