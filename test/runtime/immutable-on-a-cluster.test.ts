import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { Deployment, PersistentVolumeClaim } from '../../imports/k8s.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import { type Condition, customResource, type KubeObject, operator, s } from '../../src/index.js';
import { systemClock } from '../../src/kube/clock.js';
import { TestController } from '../../src/testing/test-controller.js';
import { eventually } from '../cluster/eventually.js';
import { onRealCluster } from '../cluster/on-real-cluster.js';

const Store = customResource({
  group: 'stores.example.com',
  version: 'v1',
  kind: 'Store',
  spec: s.object({
    app: s.string({ default: 'a' }),
    size: s.string({ default: '1Gi' }),
    mode: s.enum(['ReadWriteOnce', 'ReadOnlyMany'], { default: 'ReadWriteOnce' }),
  }),
});
const store = (isRecreating: boolean) =>
  operator(Store, {
    owns: [Deployment, PersistentVolumeClaim],
    recreate: isRecreating ? [Deployment, PersistentVolumeClaim] : [],
    compose(scope, { spec }) {
      const labels = { app: spec.app };
      new Deployment(scope, 'server', {
        spec: {
          replicas: 0,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'nginx' }] } },
        },
      });
      new PersistentVolumeClaim(scope, 'data', {
        spec: { accessModes: [spec.mode], resources: { requests: { storage: spec.size } } },
      });
    },
  });

onRealCluster('a field that may be written once', {}, (plane) => {
  let admin: HttpCluster;
  let controller: TestController | undefined;
  const namespace = 'default';
  const run = (isRecreating: boolean) => {
    controller = new TestController({
      operators: [store(isRecreating)],
      cluster: admin,
      clock: systemClock,
      random: Math.random,
      identity: 'one',
      now: () => '',
      carriedOut: () => {},
    });
  };
  const apply = (name: string, spec: object, annotations: Readonly<Record<string, string>> = {}) =>
    admin.apply(
      Store,
      { apiVersion: Store.apiVersion, kind: Store.kind, metadata: { name, namespace, annotations }, spec },
      { fieldManager: 'a-person', force: true },
    );
  const conditions = async (name: string) =>
    ((await admin.get(Store, { namespace, name })) as KubeObject & { status?: { conditions?: Condition[] } }).status
      ?.conditions ?? [];
  const server = (name: string) => admin.get(Deployment, { namespace, name: `${name}-server` });
  const claim = (name: string) => admin.get(PersistentVolumeClaim, { namespace, name: `${name}-data` });

  beforeAll(async () => {
    admin = connect(await kubeConfig({ path: plane().kubeconfig }));
    await plane().kubectl(['apply', '-f', '-'], { stdin: JSON.stringify(Store.crd()) });
    await plane().kubectl(['wait', '--for=condition=Established', `crd/${Store.crd().metadata.name}`, '--timeout=30s']);
  }, 60_000);
  afterEach(async () => {
    await controller?.stop();
  });
  afterAll(async () => {
    await admin?.close();
  });

  it('is said to be one, with what can be done, and nothing is deleted', async () => {
    run(false);
    await apply('plain', {});
    await eventually(() => claim('plain'));
    const { uid } = (await server('plain')).metadata;
    await apply('plain', { app: 'b' });
    await eventually(async () =>
      expect(await conditions('plain')).toEqual([
        expect.objectContaining({
          type: 'Ready',
          status: 'False',
          reason: 'ImmutableField',
          message:
            'Deployment/default/plain-server cannot be changed: spec.selector is immutable; change it back, give the child another name, or delete it by hand, or let the operator recreate its kind',
        }),
        expect.objectContaining({ type: 'Stalled', status: 'True', reason: 'ImmutableField' }),
      ]),
    );
    expect((await server('plain')).metadata.uid).toBe(uid);
    await apply('plain', { app: 'a' });
    await eventually(async () => expect((await conditions('plain')).map(({ type }) => type)).not.toContain('Stalled'));
  });

  it('makes a child anew whose kind is to be recreated', async () => {
    run(true);
    await apply('anew', {});
    await eventually(() => claim('anew'));
    const { uid } = (await server('anew')).metadata;
    await apply('anew', { app: 'b' });
    await eventually(async () => {
      const again = (await server('anew')) as KubeObject & { spec: { selector: object } };
      expect(again.metadata.uid).not.toBe(uid);
      expect(again.spec.selector).toEqual({ matchLabels: { app: 'b' } });
    });
  });

  it('makes one that holds data anew only when its custom resource agrees to that', async () => {
    run(true);
    await apply('data', {});
    const { uid } = (await eventually(() => claim('data'))).metadata;
    await apply('data', { mode: 'ReadOnlyMany' });
    await eventually(async () =>
      expect((await conditions('data'))[0]).toMatchObject({
        reason: 'ImmutableField',
        message: expect.stringContaining(
          'annotate the custom resource with stores.example.com/accept-data-loss: PersistentVolumeClaim/data-data',
        ) as unknown,
      }),
    );
    expect((await claim('data')).metadata.uid).toBe(uid);
    await apply(
      'data',
      { mode: 'ReadOnlyMany' },
      { 'stores.example.com/accept-data-loss': 'PersistentVolumeClaim/data-data' },
    );
    // Its own protection keeps it until no Pod has it; there is nobody here to see to that.
    await eventually(async () => expect((await claim('data')).metadata.deletionTimestamp).toBeDefined());
    await admin.patch(
      PersistentVolumeClaim,
      { namespace, name: 'data-data' },
      { type: 'merge', body: { metadata: { finalizers: null } } },
      { fieldManager: 'a-person' },
    );
    await eventually(async () => {
      const again = (await claim('data')) as KubeObject & { spec: { accessModes: readonly string[] } };
      expect(again.metadata.uid).not.toBe(uid);
      expect(again.spec.accessModes).toEqual(['ReadOnlyMany']);
    });
  });

  it('cannot be recreated of a kind that is not owned', () => {
    expect(() => operator(Store, { owns: [Deployment], recreate: [PersistentVolumeClaim], compose() {} })).toThrow(
      'it recreates PersistentVolumeClaim, which it does not own',
    );
  });
});
