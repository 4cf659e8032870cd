import { expect, it } from '@jest/globals';
import { Deployment, Job, PersistentVolumeClaim, RoleBinding, Service } from '../../../imports/k8s.js';
import { customResource, operator, s } from '../../../src/index.js';
import type { ApiResource } from '../../../src/kube/api-resource.js';
import { eventually } from '../../cluster/eventually.js';
import { onEveryCluster } from '../../cluster/on-real-cluster.js';
import { Stage, withoutEvents } from '../../cluster/stage.js';

const Store = customResource({
  group: 'stores.example.com',
  version: 'v1',
  kind: 'Store',
  spec: s.object({
    app: s.string({ default: 'a' }),
    address: s.string({ optional: true }),
    size: s.string({ default: '1Gi' }),
    mode: s.enum(['ReadWriteOnce', 'ReadOnlyMany'], { default: 'ReadWriteOnce' }),
    image: s.string({ default: 'nginx:1' }),
    role: s.string({ default: 'view' }),
    /** Of CPU, of which one is the limit. */
    requests: s.string({ default: '1' }),
  }),
});
const store = (isRecreating: boolean) =>
  operator(Store, {
    owns: [Deployment, Service, PersistentVolumeClaim, Job, RoleBinding],
    recreate: isRecreating ? [Deployment, PersistentVolumeClaim, RoleBinding] : [],
    compose(scope, { spec }) {
      const labels = { app: spec.app };
      const containers = [{ name: 'main', image: spec.image }];
      const resources = { requests: { cpu: spec.requests }, limits: { cpu: '1' } };
      new Deployment(scope, 'server', {
        spec: {
          replicas: 0,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'nginx', resources }] } },
        },
      });
      const address = spec.address === undefined ? {} : { clusterIP: spec.address };
      new Service(scope, 'service', { spec: { ...address, ports: [{ port: 80 }] } });
      new PersistentVolumeClaim(scope, 'data', {
        spec: { accessModes: [spec.mode], resources: { requests: { storage: spec.size } } },
      });
      new Job(scope, 'job', { spec: { suspend: true, template: { spec: { restartPolicy: 'Never', containers } } } });
      const apiGroup = 'rbac.authorization.k8s.io';
      new RoleBinding(scope, 'binding', { roleRef: { apiGroup, kind: 'ClusterRole', name: spec.role } });
    },
  });

onEveryCluster('a field that may be written once', { audit: true }, (plane) => {
  const stage = new Stage(plane, [Store.crd()]);
  const run = async (isRecreating: boolean) => {
    await stage.stop();
    await stage.start([store(isRecreating)]);
  };
  const server = (name: string) => stage.get(Deployment, `${name}-server`);
  const claim = (name: string) => stage.get(PersistentVolumeClaim, `${name}-data`);

  it.each<[string, ApiResource, string, object, object, RegExp]>([
    [
      'a selector',
      Deployment,
      'server',
      {},
      { app: 'b' },
      /^Deployment.*: spec\.selector is immutable; change it back/,
    ],
    [
      'a cluster IP',
      Service,
      'service',
      { address: '10.0.0.76' },
      { address: '10.0.0.77' },
      /^Service.*: spec\.clusterIPs?\S* is immutable/,
    ],
    [
      'the size of a claim',
      PersistentVolumeClaim,
      'data',
      {},
      { size: '2Gi' },
      /^PersistentVolumeClaim.*: spec \(but for resources\.requests.*\) is immutable/,
    ],
    ['the template of a Job', Job, 'job', {}, { image: 'nginx:2' }, /^Job.*: spec\.template\S* is immutable/],
    ['the role of a binding', RoleBinding, 'binding', {}, { role: 'edit' }, /^RoleBinding.*: roleRef is immutable/],
  ])(
    'D-19: that is %s is said to be one, with what can be done, and nothing is deleted',
    async (_, kind, id, before, change, message) => {
      const name = `plain-${id}`;
      await run(false);
      await stage.wish(Store, name, before);
      await eventually(() => claim(name));
      await stage.quiet();
      const { uid } = (await stage.admin.get(kind, { namespace: 'default', name: `${name}-${id}` })).metadata;
      const writes = await stage.writesDuring(async () => {
        await stage.wish(Store, name, change);
        await eventually(async () =>
          expect(await stage.condition(Store, name)).toMatchObject({ reason: 'ImmutableField' }),
        );
        await stage.quiet();
      });
      const told = { status: 'True', reason: 'ImmutableField', message: expect.stringMatching(message) as unknown };
      expect(await stage.condition(Store, name)).toMatchObject({ ...told, status: 'False' });
      expect(await stage.condition(Store, name, 'Stalled')).toMatchObject(told);
      // Beside each, a dry run asks whether one could be made anew, which is there already: 409.
      const codes = withoutEvents(writes).map(({ responseStatus }) => responseStatus?.code ?? 0);
      const refused = codes.filter((code) => code >= 400 && code !== 409);
      expect(refused.length).toBeLessThanOrEqual(2);
      const after = await stage.admin.get(kind, { namespace: 'default', name: `${name}-${id}` });
      expect(after.metadata.uid).toBe(uid);
      await stage.wish(Store, name, before);
      await eventually(async () => expect(await stage.condition(Store, name, 'Stalled')).toBeUndefined());
    },
  );

  it('makes a child anew whose kind is to be recreated', async () => {
    await run(true);
    await stage.wish(Store, 'anew', {});
    await eventually(() => claim('anew'));
    const { uid } = (await server('anew')).metadata;
    await stage.wish(Store, 'anew', { app: 'b' });
    await eventually(async () => {
      const again = await server('anew');
      expect(again.metadata.uid).not.toBe(uid);
      expect(again.spec?.selector).toEqual({ matchLabels: { app: 'b' } });
    });
    await stage.wish(Store, 'anew', { app: 'b', role: 'edit' });
    await eventually(async () =>
      expect((await stage.get(RoleBinding, 'anew-binding')).roleRef).toMatchObject({ name: 'edit' }),
    );
  });

  it('deletes none for a value that says so', async () => {
    await run(true);
    await stage.wish(Store, 'said', {});
    await eventually(() => claim('said'));
    const { uid } = (await server('said')).metadata;
    await stage.wish(Store, 'said', { app: 'is immutable' });
    await eventually(async () =>
      expect(await stage.condition(Store, 'said')).toMatchObject({
        status: 'False',
        reason: 'ApplyFailed',
        message: expect.stringContaining('a valid label must'),
      }),
    );
    expect((await server('said')).metadata.uid).toBe(uid);
  });

  it('deletes none of which the new one would be refused as well', async () => {
    await run(true);
    await stage.wish(Store, 'kept', {});
    await eventually(() => claim('kept'));
    const { uid } = (await server('kept')).metadata;
    await stage.wish(Store, 'kept', { app: 'b', requests: '2' });
    await eventually(async () =>
      expect(await stage.condition(Store, 'kept')).toMatchObject({
        status: 'False',
        message: expect.stringContaining('must be less than or equal to cpu limit'),
      }),
    );
    expect((await server('kept')).metadata.uid).toBe(uid);
    await stage.wish(Store, 'kept', { app: 'b' });
    await eventually(async () => expect((await server('kept')).metadata.uid).not.toBe(uid));
  });

  it('makes one that holds data anew only when its custom resource agrees to that', async () => {
    await run(true);
    await stage.wish(Store, 'data', {});
    const { uid } = (await eventually(() => claim('data'))).metadata;
    // As its protection does until no Pod has it; the controller of that is not here.
    const held = { metadata: { finalizers: ['kubernetes.io/pvc-protection'] } };
    await stage.change(PersistentVolumeClaim, 'data-data', held);
    await stage.wish(Store, 'data', { mode: 'ReadOnlyMany' });
    const asked =
      'annotate the custom resource with stores.example.com/accept-data-loss: PersistentVolumeClaim/data-data';
    await stage.says(Store, 'data', 'ImmutableField', asked);
    expect((await claim('data')).metadata.uid).toBe(uid);
    const consent = { 'stores.example.com/accept-data-loss': 'PersistentVolumeClaim/data-data' };
    await stage.wish(Store, 'data', { mode: 'ReadOnlyMany' }, consent);
    await eventually(async () => expect((await claim('data')).metadata.deletionTimestamp).toBeDefined());
    await stage.change(PersistentVolumeClaim, 'data-data', { metadata: { finalizers: null } });
    await eventually(async () => {
      const again = await claim('data');
      expect(again.metadata.uid).not.toBe(uid);
      expect(again.spec?.accessModes).toEqual(['ReadOnlyMany']);
    });
  });

  it('cannot be recreated of a kind that is not owned', () => {
    expect(() => operator(Store, { owns: [Deployment], recreate: [PersistentVolumeClaim], compose() {} })).toThrow(
      'it recreates PersistentVolumeClaim, which it does not own',
    );
  });
});
