import { beforeEach, expect, it } from '@jest/globals';
import { Deployment } from '../../../imports/k8s.js';
import type { DriftInput } from '../../../src/compose/operator-input.js';
import { customResource, operator, s } from '../../../src/index.js';
import { eventually } from '../../cluster/eventually.js';
import { onEveryCluster } from '../../cluster/on-real-cluster.js';
import { Stage } from '../../cluster/stage.js';

const Web = customResource({
  group: 'ancient.example.com',
  version: 'v1',
  kind: 'Web',
  spec: s.object({ isPlain: s.boolean({ default: false }) }),
});
/** In the second form it says less, and what its first form had is in the way of it. */
const web = (drift: DriftInput = {}) =>
  operator(Web, {
    owns: [Deployment],
    drift,
    compose(scope, { spec: { isPlain } }) {
      const labels = { app: 'web' };
      const containers = [{ name: 'main', image: 'nginx:1' }];
      const source = isPlain ? { configMap: { name: 'x' } } : { emptyDir: { sizeLimit: '1Gi' } };
      new Deployment(scope, 'server', {
        spec: {
          replicas: 2,
          selector: { matchLabels: labels },
          ...(isPlain ? { strategy: { type: 'Recreate' } } : { minReadySeconds: 7 }),
          template: {
            metadata: { labels },
            spec: {
              containers: isPlain ? containers : [...containers, { name: 'other', image: 'nginx:1' }],
              volumes: [{ name: 'data', ...source }],
            },
          },
        },
      });
    },
  });

onEveryCluster('a child that many others write', {}, (plane) => {
  const stage = new Stage(plane, [Web.crd()]);
  const server = (name: string) => stage.get(Deployment, `${name}-server`);
  const managersOf = async (name: string) =>
    (await server(name)).metadata.managedFields?.map(({ manager }) => manager) ?? [];
  beforeEach(() => stage.stop());

  /** Of one second the names decide which is the oldest: that of the operator is. */
  const write = async (name: string, from: number, to: number) => {
    for (let each = from; each < to; each++) {
      const annotations = { [`note-${each}`]: 'x' };
      await stage.change(Deployment, `${name}-server`, { metadata: { annotations } }, `writer-${100 + each}`);
    }
  };
  const make = async (name: string) => {
    await stage.wish(Web, name, {});
    await eventually(() => server(name));
    await stage.quiet();
  };
  const drift = (name: string) => stage.lines.filter((line) => line['name'] === name && /drift/i.test(line.msg));

  it.each<[string, DriftInput]>([
    ['plain', {}],
    ['strict', { strict: true }],
    ['reported', { mode: 'report' }],
  ])(
    'is not drifted because the server merges what it knows of us with what it knows of them: %s',
    async (name, policy) => {
      await stage.start([web()]);
      await make(name);
      await stage.stop();
      await stage.start([web(policy)]);
      await stage.quiet();
      await write(name, 0, 10);
      await stage.quiet();
      expect(await managersOf(name)).toContain('ancient-changes');
      expect(drift(name)).toEqual([]);
      expect(await stage.condition(Web, name, 'Drifted')).toBeUndefined();
      expect((await server(name)).spec).toMatchObject({ replicas: 2, minReadySeconds: 7 });
    },
  );

  it("loses what is no longer composed, also where that is nobody's in particular", async () => {
    await stage.start([web()]);
    await make('shrinking');
    await write('shrinking', 0, 10);
    await stage.quiet();
    await stage.wish(Web, 'shrinking', { isPlain: true });
    await eventually(async () => expect((await server('shrinking')).spec?.strategy).toEqual({ type: 'Recreate' }));
    await stage.quiet();
    const { minReadySeconds, template } = (await server('shrinking')).spec!;
    expect(minReadySeconds).toBeUndefined();
    expect(template.spec?.containers.map(({ name }) => name)).toEqual(['main']);
    expect(template.spec?.volumes).toEqual([
      { name: 'data', configMap: expect.objectContaining({ name: 'x' }) as unknown },
    ]);
    expect(await managersOf('shrinking')).toContain('ancient-changes');
  });

  it('is put back without a name where the server has forgotten who changed it', async () => {
    await stage.start([web()]);
    await make('changed');
    await stage.stop();
    await stage.change(Deployment, 'changed-server', { spec: { minReadySeconds: 9 } }, 'writer-000');
    await write('changed', 0, 10);
    await stage.start([web()]);
    await eventually(async () => expect((await server('changed')).spec?.minReadySeconds).toBe(7));
    await stage.quiet();
    expect(drift('changed')).toMatchObject([{ msg: 'Corrected drift', fields: ['spec.minReadySeconds 7 → 9'] }]);
  });

  it('has as many replicas as an autoscaler wants whose name the server has forgotten', async () => {
    await stage.start([web()]);
    await make('scaled');
    const patch = { type: 'merge' as const, body: { spec: { replicas: 5 } } };
    const scale = { fieldManager: 'kube-controller-manager', subresource: 'scale' } as const;
    await stage.admin.patch(Deployment, { namespace: 'default', name: 'scaled-server' }, patch, scale);
    await stage.quiet();
    await write('scaled', 0, 9);
    await stage.quiet();
    expect(await managersOf('scaled')).not.toContain('kube-controller-manager');
    await stage.wish(Web, 'scaled', { isPlain: true });
    await eventually(async () => expect((await server('scaled')).spec?.strategy).toEqual({ type: 'Recreate' }));
    expect((await server('scaled')).spec?.replicas).toBe(5);
    expect(drift('scaled')).toEqual([]);
  });
});
