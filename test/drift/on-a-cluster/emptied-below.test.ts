import { beforeAll, expect, it } from '@jest/globals';
import { customResource, type KubeObject, operator, s } from '../../../src/index.js';
import { eventually } from '../../cluster/eventually.js';
import { onEveryCluster } from '../../cluster/on-real-cluster.js';
import { Stage } from '../../cluster/stage.js';

/** With maps in maps, as kinds of others have them: `spec.resources.requests`, `spec.settings.ingress.classNames`. */
const Gauge = customResource({
  group: 'gauges.example.com',
  version: 'v1',
  kind: 'Gauge',
  spec: s.object({
    plain: s.object(
      { inner: s.object({ names: s.array(s.string(), { optional: true }) }, { optional: true }) },
      { optional: true },
    ),
    filled: s.object(
      {
        inner: s.object({ limits: s.map(s.string(), { optional: true }) }, { optional: true }),
        mode: s.string({ default: 'steady' }),
      },
      { optional: true },
    ),
  }),
});

const Panel = customResource({
  group: 'gauges.example.com',
  version: 'v1',
  kind: 'Panel',
  spec: s.object({ gauge: s.string() }),
});

const panel = operator(Panel, {
  owns: [Gauge],
  compose(scope, { spec }) {
    new Gauge(scope, 'default', { spec: JSON.parse(spec.gauge) as never });
  },
});

const plain = { plain: { inner: { names: ['a'] } } };
const filled = { filled: { inner: { limits: { memory: '1Gi' } } } };

onEveryCluster('a map within a map of a child of a custom kind', { audit: true }, (plane) => {
  const stage = new Stage(plane, [Panel.crd(), Gauge.crd()]);
  beforeAll(() => stage.start([panel]), 60_000);

  const specOf = async (name: string) =>
    ((await stage.admin.get(Gauge, { namespace: 'default', name })) as KubeObject & { readonly spec: object }).spec;

  it.each<[string, object, object, object]>([
    ['what is in it', plain, { plain: { inner: { names: null } } }, { plain: null }],
    ['all that is in a map in it', filled, { filled: { inner: { limits: { memory: null } } } }, { filled: null }],
    ['a map that has one in it', plain, { plain: { inner: null } }, { plain: null }],
    [
      'a map that has one in it, beside defaults',
      filled,
      { filled: { inner: { limits: null } } },
      { filled: { inner: { limits: { memory: null } } } },
    ],
  ])('has %s again when somebody removes that after it was put back once', async (title, gauge, part, whole) => {
    const name = title.replace(',', '').replaceAll(' ', '-');
    await stage.wish(Panel, name, { gauge: JSON.stringify(gauge) });
    await eventually(async () => expect(await specOf(name)).toMatchObject(gauge));
    const before = await specOf(name);
    for (const spec of [whole, part]) {
      await stage.quiet();
      await stage.change(Gauge, name, { spec });
      await eventually(async () => expect(await specOf(name)).toEqual(before));
    }
  });

  it('is left alone when its controller starts anew', async () => {
    await stage.quiet();
    const writes = await stage.writesDuring(async () => {
      await stage.stop();
      await stage.start([panel]);
    });
    expect(writes.filter(({ objectRef }) => objectRef?.resource === 'gauges')).toEqual([]);
  });
});
