import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { ConfigMap, Deployment, type DeploymentObject } from '../../imports/k8s.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import { type Condition, customResource, type KubeObject, type Observed, operator, s } from '../../src/index.js';
import type { AdoptMode } from '../../src/kube/adopt.js';
import { systemClock } from '../../src/kube/clock.js';
import { TestController } from '../../src/testing/test-controller.js';
import { eventually } from '../cluster/eventually.js';
import { onEveryCluster } from '../cluster/on-real-cluster.js';

const Shop = customResource({
  group: 'shops.example.com',
  version: 'v1',
  kind: 'Shop',
  spec: s.object({ limit: s.int32({ default: 3 }), hasLimit: s.boolean({ default: true }) }),
});
type Server = Observed<DeploymentObject>;
const labels = { app: 'web' };
const podSpec = (env: readonly { readonly name: string; readonly value: string }[] = []) => ({
  containers: [{ name: 'web', image: 'nginx:1', env: [...env] }],
});

const shop = (adopt: AdoptMode, { name = 'shop', formerly = [] as readonly string[], replicas = 2 } = {}) =>
  operator(Shop, {
    name,
    owns: [Deployment],
    adopt,
    formerly,
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

onEveryCluster('an object that was there before its custom resource', {}, (plane) => {
  let admin: HttpCluster;
  let controller: TestController | undefined;
  const namespace = 'default';

  const run = (operated: ReturnType<typeof shop>) => {
    controller = new TestController({
      operators: [operated],
      cluster: admin,
      clock: systemClock,
      random: Math.random,
      identity: 'one',
      now: () => '',
      carriedOut: () => {},
    });
  };
  const get = async (name: string) => (await admin.get(Deployment, { namespace, name })) as Server;
  const apply = (name: string, spec: object = {}) =>
    admin.apply(
      Shop,
      { apiVersion: Shop.apiVersion, kind: Shop.kind, metadata: { name, namespace }, spec },
      { fieldManager: 'a-person', force: true },
    );
  const ready = async (name: string) =>
    ((await admin.get(Shop, { namespace, name })) as KubeObject & { status?: { conditions?: Condition[] } }).status
      ?.conditions?.[0];
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
      admin.create(Deployment, deployment(name, { annotations: { 'meta.helm.sh/release-name': 'web' } }), {
        fieldManager: 'helm',
      }),
  };

  beforeAll(async () => {
    admin = connect(await kubeConfig({ path: plane().kubeconfig }));
    await plane().kubectl(['apply', '-f', '-'], { stdin: JSON.stringify(Shop.crd()) });
    await plane().kubectl(['wait', '--for=condition=Established', `crd/${Shop.crd().metadata.name}`, '--timeout=30s']);
  }, 60_000);
  afterEach(async () => {
    await controller?.stop();
    controller = undefined;
  });
  afterAll(async () => {
    await admin?.close();
  });

  it.each(Object.keys(makers).map((maker, index) => [maker, `taken-${index}`] as const))(
    'by %s is taken as an orphan, and nothing of it stays that is not composed, but for what is ignored',
    async (maker, name) => {
      await makers[maker]!(name);
      run(shop('orphans'));
      await apply(name);
      await eventually(async () => {
        const { metadata, spec } = await get(name);
        expect(metadata.ownerReferences).toMatchObject([{ kind: 'Shop', name, controller: true }]);
        expect(spec).toMatchObject({ replicas: 5, revisionHistoryLimit: 3 });
        expect(spec?.minReadySeconds ?? 0).toBe(0);
        expect(spec?.template.spec?.containers[0]?.env ?? []).toEqual([]);
        expect(metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration']).toBeUndefined();
        expect(metadata.annotations?.['meta.helm.sh/release-name']).toBeUndefined();
      });
      await apply(name, { hasLimit: false });
      await eventually(async () => expect((await get(name)).spec?.revisionHistoryLimit).toBe(10));
    },
  );

  it('is not touched where nothing says otherwise, and its name is refused', async () => {
    await makers['kubectl apply']!('left');
    const before = await get('left');
    run(shop('never'));
    await apply('left');
    await eventually(async () =>
      expect(await ready('left')).toMatchObject({
        reason: 'ApplyConflict',
        message: expect.stringContaining(
          'Deployment/default/left is not ours: it exists, and belongs to nobody',
        ) as unknown,
      }),
    );
    expect((await get('left')).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });

  it.each(['orphans', 'always'] as const)('is not taken from its controller with adopt: %s', async (adopt) => {
    const name = `theirs-${adopt}`;
    const owner = await admin.create(
      ConfigMap,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `owner-${adopt}`, namespace } },
      { fieldManager: 'them' },
    );
    const reference = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: `owner-${adopt}`,
      uid: owner.metadata.uid,
      controller: true,
    };
    await admin.create(Deployment, deployment(name, { ownerReferences: [reference] }), { fieldManager: 'them' });
    run(shop(adopt));
    await apply(name);
    await eventually(async () =>
      expect((await ready(name))?.message).toContain(`it exists, and belongs to ConfigMap/owner-${adopt}`),
    );
    expect((await get(name)).spec?.minReadySeconds).toBe(9);
  });

  it('by the same operator under an older name is inherited', async () => {
    run(shop('never', { name: 'old-shop' }));
    await apply('inherited', { limit: 4 });
    await eventually(async () => expect((await get('inherited')).spec?.revisionHistoryLimit).toBe(4));
    await controller?.stop();
    run(shop('never', { formerly: ['old-shop'] }));
    await eventually(async () => {
      const managers = (await get('inherited')).metadata.managedFields?.map(({ manager }) => manager);
      expect(managers).toContain('shop');
      expect(managers).not.toContain('old-shop');
    });
    await apply('inherited', { hasLimit: false });
    await eventually(async () => expect((await get('inherited')).spec?.revisionHistoryLimit).toBe(10));
  });
});
