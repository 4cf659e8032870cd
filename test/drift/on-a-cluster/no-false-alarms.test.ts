/** One long calm, told in order on one cluster, and the table of what others do meanwhile. */
import { beforeAll, expect, it } from '@jest/globals';
import type { Operator } from '../../../src/index.js';
import { seededRandom } from '../../../src/testing/seeded-random.js';
import type { AuditEvent } from '../../cluster/audit.js';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { Stage, withoutEvents } from '../../cluster/stage.js';
import { type Child, deeds } from './deeds.js';
import { grouped } from './grouped.js';
import { manifests, olderManifests } from './manifests/all.js';
import { gadgets, Widget } from './manifests/custom.js';
import type { ManifestCase } from './manifests/manifest-case.js';
import { ClusterHousehold, Household, OldHousehold, type Samples, sampleOperator } from './samples.js';

const current = manifests(seededRandom(20260101));
const older = olderManifests();
const all = [...current, ...older];
const namespaced = current.filter(({ resource }) => resource.namespaced);
const cluster = current.filter(({ resource }) => !resource.namespaced);

const kindsOf = (cases: readonly ManifestCase[]) => [
  ...new Map(cases.map((each) => [each.resource.plural, each.resource])).values(),
];
const samplesOf = (cases: readonly ManifestCase[]): Samples => {
  const byTitle = new Map(cases.map((each) => [each.title, each]));
  return (title) => byTitle.get(title);
};
const sampler = sampleOperator({ name: 'sampler', owns: kindsOf(namespaced), samples: samplesOf(namespaced) });
const clusterSampler = sampleOperator({
  name: 'cluster-sampler',
  of: ClusterHousehold,
  owns: kindsOf(cluster),
  samples: samplesOf(cluster),
});
const oldSampler = sampleOperator({
  name: 'old-sampler',
  of: OldHousehold,
  owns: kindsOf(older),
  samples: samplesOf(older),
});
const operators = [sampler, clusterSampler, oldSampler];

interface Home {
  readonly operator: Operator;
  readonly namespace?: string;
  readonly name: string;
  readonly cases: readonly ManifestCase[];
}

/** Two workloads with one selector do not live in one namespace, nor does anybody with what limits him. */
const namespaceOf = ({ title, resource: { kind } }: ManifestCase) =>
  /^(LimitRange|ResourceQuota)$/.test(kind) ? 'limits' : /in other words/.test(title) ? 'varied' : 'written';

const homes: readonly Home[] = [
  ...[...grouped(namespaced, namespaceOf)].flatMap(([namespace, cases]) =>
    chunks(cases, 12).map((chunk, index) => ({ operator: sampler, namespace, name: `home-${index}`, cases: chunk })),
  ),
  { operator: clusterSampler, name: 'cluster', cases: cluster },
  { operator: oldSampler, namespace: 'older', name: 'home', cases: older },
];

const writtenOf = ({ namespace, name, cases }: Home) => ({
  metadata: { name, ...(namespace ? { namespace } : {}) },
  spec: { titles: cases.map(({ title }) => title) },
});

/** All children, as they are sent. */
const children: readonly Child[] = homes.flatMap((home) =>
  home.operator.desired(writtenOf(home) as never).map((manifest) => {
    const resource = home.operator.owns.find(({ kind }) => kind === manifest.kind);
    if (!resource) throw new Error(`nobody owns ${manifest.kind}`);
    return { resource, manifest };
  }),
);

/** Those that others deal with: what was said in other words is stored as what was said first. */
const visited = children.filter(({ manifest }) => manifest.metadata.namespace !== 'varied');

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

onRealCluster(`a calm cluster with ${all.length} children`, { controllerManager: true, audit: true }, (plane) => {
  const kinds = [Household, ClusterHousehold, OldHousehold, Widget].map((kind) => kind.crd());
  const stage = new Stage(plane, [...kinds, gadgets('v1alpha1')]);

  beforeAll(async () => {
    for (const namespace of ['written', 'varied', 'limits', 'older']) await stage.namespace(namespace);
    await stage.start(operators);
  });

  it('D-13, D-14, D-15, D-16, D-18: writes each child once, in whatever words it is composed', async () => {
    const writes = await stage.writesDuring(async () => {
      for (const home of homes) await stage.create(home.operator.resource, writtenOf(home));
      for (const { operator, namespace, name } of homes) {
        const target = { name, ...(namespace ? { namespace } : {}) };
        expect(await stage.settled(operator.resource, target)).toBeUndefined();
      }
      await stage.quiet();
    });
    const counts = grouped(ofChildren(writes), (write) => write);
    const others = [...counts].filter(([write, times]) => !write.startsWith('create ') || times.length > 1);
    expect(others.map(([write, times]) => `${times.length} × ${write}`)).toEqual([]);
    expect(counts.size).toBe(all.length);
  }, 240_000);

  it('has children of more than 25 kinds', () => {
    expect(new Set(all.map(({ resource }) => resource.kind)).size).toBeGreaterThan(25);
    expect(children).toHaveLength(all.length);
  });

  it('writes nothing when its controller starts anew', async () => {
    expect(
      await writesOfChildren(async () => {
        await stage.stop();
        await stage.start(operators);
      }),
    ).toEqual([]);
  });

  it.each(Object.entries(deeds))('writes nothing when others %s', async (_, deed) => {
    expect(await writesOfChildren(() => forEach(visited, (child) => deed(stage.admin, child)))).toEqual([]);
  });

  it('writes nothing when it starts anew after all that', async () => {
    expect(
      await writesOfChildren(async () => {
        await stage.stop();
        await stage.start(operators);
      }),
    ).toEqual([]);
  });

  it('writes nothing when others do all that while it is away', async () => {
    expect(
      await writesOfChildren(async () => {
        await stage.stop();
        try {
          for (const deed of Object.values(deeds)) await forEach(visited, (child) => deed(stage.admin, child));
        } finally {
          await stage.start(operators);
        }
      }),
    ).toEqual([]);
  }, 240_000);

  it('D-23: writes nothing, not even a status, when custom resources are touched', async () => {
    const writes = await stage.writesDuring(async () => {
      for (let round = 0; round < 10; round++) {
        await forEach(homes, ({ operator, namespace, name }) => {
          const body = { metadata: { annotations: { 'theirs.example.com/round': String(round) } } };
          const target = { name, ...(namespace ? { namespace } : {}) };
          return stage.admin.patch(operator.resource, target, { type: 'merge', body }, { fieldManager: 'someone' });
        });
      }
      await stage.quiet();
    });
    expect(withoutEvents(writes).map(showWrite)).toEqual([]);
  });

  /** Beside the writes it shows what the controller took for drift. */
  const writesOfChildren = async (during: () => Promise<unknown>) => {
    const before = stage.lines.length;
    const writes = await stage.writesDuring(async () => {
      await during();
      await stage.quiet();
    });
    const taken = stage.lines.slice(before).filter(({ msg }) => msg === 'Corrected drift');
    return [...ofChildren(writes), ...taken.map(({ child, fields }) => `${child}: ${JSON.stringify(fields)}`)];
  };
});

/** Several at once, as others would. */
async function forEach<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  const left = [...items];
  const work = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: 8 }, work));
}

/** Without those of the custom resources, which have a status. */
function ofChildren(writes: readonly AuditEvent[]): string[] {
  return withoutEvents(writes)
    .filter(({ objectRef }) => !objectRef?.resource.endsWith('households'))
    .map(showWrite);
}

function showWrite({ verb, objectRef, responseStatus }: AuditEvent): string {
  const { resource, namespace, name } = objectRef ?? {};
  const failure = (responseStatus?.code ?? 0) < 300 ? '' : ` ${responseStatus?.code} ${responseStatus?.message}`;
  return `${verb} ${[resource, namespace, name].filter(Boolean).join('/')}${failure}`;
}
