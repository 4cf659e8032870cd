/** Longer than most files: one long calm, told in order on one cluster, and the table of what others do meanwhile. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ApiResource } from '../../../src/kube/api-resource.js';
import { seededRandom } from '../../../src/testing/seeded-random.js';
import type { AuditEvent } from '../../cluster/audit.js';
import { onEveryCluster } from '../../cluster/on-real-cluster.js';
import { grouped } from './grouped.js';
import { clusterManifests, namespacedManifests, olderManifests } from './manifests/all.js';
import { gadgets, Widget } from './manifests/custom.js';
import type { ManifestCase } from './manifests/manifest-case.js';
import { ClusterHousehold, Household, OldHousehold, type Samples, sampleOperator } from './samples.js';
import { Stage } from './stage.js';

const random = seededRandom(20260101);
const namespaced = namespacedManifests(random);
const cluster = clusterManifests(random);
const older = olderManifests();
const all = [...namespaced, ...cluster, ...older];

const kindsOf = (cases: readonly ManifestCase[]) => [
  ...new Map(cases.map((each) => [each.resource.plural, each.resource])).values(),
];
const samplesOf = (cases: readonly ManifestCase[]): Samples => {
  const byTitle = new Map(cases.map((each) => [each.title, each]));
  return (title) => byTitle.get(title);
};
const operators = [
  sampleOperator({ name: 'sampler', owns: kindsOf(namespaced), samples: samplesOf(namespaced) }),
  sampleOperator({
    name: 'cluster-sampler',
    of: ClusterHousehold,
    owns: kindsOf(cluster),
    samples: samplesOf(cluster),
  }),
  sampleOperator({ name: 'old-sampler', of: OldHousehold, owns: kindsOf(older), samples: samplesOf(older) }),
];

interface Home {
  readonly resource: ApiResource;
  readonly namespace?: string;
  readonly name: string;
  readonly cases: readonly ManifestCase[];
}

/** Two workloads with one selector do not live in one namespace, nor does anybody with what limits him. */
const namespaceOf = ({ title, resource: { kind } }: ManifestCase) =>
  /^(LimitRange|ResourceQuota)$/.test(kind) ? 'limits' : /in other words/.test(title) ? 'varied' : 'written';

function homes(): Home[] {
  const rooms = grouped(namespaced, namespaceOf);
  return [
    ...[...rooms].flatMap(([namespace, cases]) =>
      chunks(cases, 12).map((chunk, index) => ({
        resource: Household,
        namespace,
        name: `home-${index}`,
        cases: chunk,
      })),
    ),
    { resource: ClusterHousehold, name: 'cluster', cases: cluster },
    { resource: OldHousehold, namespace: 'old', name: 'home', cases: older },
  ];
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

onEveryCluster(`a calm cluster with ${all.length} children`, { controllerManager: true, audit: true }, (plane) => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await Stage.on(plane());
    await stage.install(
      [Household, ClusterHousehold, OldHousehold, Widget].map((kind) => kind.crd()).concat(gadgets('v1alpha1')),
    );
    for (const namespace of ['written', 'varied', 'limits', 'old']) await stage.namespace(namespace);
    await stage.start(operators);
  }, 120_000);
  afterAll(() => stage?.close());

  const childWrites = (writes: readonly AuditEvent[]) =>
    writes.filter(({ objectRef }) => !objectRef?.resource.endsWith('households')).map(showWrite);

  it('writes each of them once', async () => {
    const writes = await stage.writesDuring(async () => {
      for (const { resource, namespace, name, cases } of homes()) {
        await stage.create(resource, {
          metadata: { name, ...(namespace ? { namespace } : {}) },
          spec: { titles: cases.map(({ title }) => title) },
        });
      }
      for (const { resource, namespace, name } of homes())
        await stage.settled(resource, { name, ...(namespace ? { namespace } : {}) });
      await stage.quiet();
    });
    const counts = grouped(childWrites(writes), (write) => write);
    const twice = [...counts].filter(([write, times]) => !write.startsWith('create') || times.length > 1);
    expect(twice.map(([write]) => write)).toEqual([]);
    expect(counts.size).toBe(all.length);
  }, 240_000);
});

function showWrite({ verb, objectRef, responseStatus }: AuditEvent): string {
  const { resource, namespace, name } = objectRef ?? {};
  const failure = (responseStatus?.code ?? 0) < 300 ? '' : ` ${responseStatus?.code} ${responseStatus?.message}`;
  return `${verb} ${[resource, namespace, name].filter(Boolean).join('/')}${failure}`;
}
