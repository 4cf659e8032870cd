import { beforeAll, expect, it } from '@jest/globals';
import { customResource, operator, s } from '../../../src/index.js';
import { eventually } from '../../cluster/eventually.js';
import { onEveryCluster } from '../../cluster/on-real-cluster.js';
import { Stage } from '../../cluster/stage.js';

const Pool = customResource({
  group: 'pools.example.com',
  version: 'v1',
  kind: 'Pool',
  spec: s.object({ size: s.int32(), depth: s.int32() }),
  status: s.object({ size: s.int32() }),
  scale: { replicas: '.spec.size', statusReplicas: '.status.size' },
});
const Lido = customResource({
  group: 'pools.example.com',
  version: 'v1',
  kind: 'Lido',
  spec: s.object({ size: s.int32({ default: 2 }), depth: s.int32({ default: 1 }) }),
});

const lido = operator(Lido, {
  owns: [Pool],
  compose(scope, { spec }) {
    new Pool(scope, 'pool', { spec });
  },
});

onEveryCluster('the number of a custom kind', {}, (plane) => {
  const stage = new Stage(plane, [Lido.crd(), Pool.crd()]);
  beforeAll(() => stage.start([lido]), 60_000);

  const pool = async (name: string) => (await stage.get(Pool, `${name}-pool`)).spec;
  const scaled = async (name: string, size: number, fieldManager: string) => {
    await stage.wish(Lido, name, {});
    await stage.settled(Lido, name);
    await stage.quiet();
    await stage.admin.patch(
      Pool,
      { namespace: 'default', name: `${name}-pool` },
      { type: 'merge', body: { spec: { replicas: size } } },
      { fieldManager, subresource: 'scale' },
    );
    await stage.quiet();
  };

  it('D-22: is left to an autoscaler, whatever it is called, and all else is not', async () => {
    await scaled('grown', 7, 'kube-controller-manager');
    expect(await pool('grown')).toEqual({ size: 7, depth: 1 });
    await stage.change(Pool, 'grown-pool', { spec: { depth: 9 } }, 'kubectl-edit');
    await eventually(async () => expect(await pool('grown')).toEqual({ size: 7, depth: 1 }));
    await stage.wish(Lido, 'grown', { depth: 2 });
    await eventually(async () => expect(await pool('grown')).toEqual({ size: 7, depth: 2 }));
  });

  it('D-22: is put back where a person scaled', async () => {
    await scaled('meant', 7, 'kubectl');
    expect(await pool('meant')).toEqual({ size: 2, depth: 1 });
  });
});
