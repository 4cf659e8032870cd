import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { ForbiddenError } from '../../src/client/api-error.js';
import type { Cluster } from '../../src/client/cluster.js';
import { customResource, operator, s } from '../../src/index.js';
import type { Clock } from '../../src/kube/clock.js';
import { Metrics } from '../../src/runtime/telemetry/metrics/metrics.js';
import type { Telemetry } from '../../src/runtime/telemetry/telemetry.js';
import { type Run, runOn } from './a-run.js';
import { parseExposition, sampleOf } from './telemetry/metrics/exposition.js';

const Site = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Site',
  spec: s.object({ places: s.array(s.string()) }),
});
/** A ConfigMap in each place; the one in `c` is to outlive it. */
const site = operator(Site, {
  owns: [ConfigMap],
  reach: 'cluster',
  compose(scope, { spec }) {
    for (const namespace of spec.places) {
      const annotations = namespace === 'c' ? { 'kilter.dev/removal': 'orphan' } : {};
      new ConfigMap(scope, `in-${namespace}`, { metadata: { namespace, annotations } });
    }
  },
});

const Trip = customResource({ group: 'web.example.com', version: 'v1', kind: 'Trip', spec: s.object({}) });
/** A seat in a service, which has it removed at the second time. */
const trip = operator(Trip, {
  owns: [],
  compose: () => {},
  external: {
    seat: {
      pollSeconds: 60,
      observe: () => Promise.resolve('there'),
      ensure: () => Promise.resolve('there'),
      remove: () => (isBusy ? Promise.reject(new Error('not now')) : Promise.resolve()),
    },
  },
});

let run: Run;
let isBusy: boolean;
let metrics: Metrics;
let refused: string | undefined;
beforeEach(async () => {
  refused = undefined;
  isBusy = true;
  const instead = (server: Cluster, clock: Clock): Partial<Cluster> => {
    metrics = new Metrics({ clock, apiServer: 'embedded' });
    return {
      delete: async (resource, target, options) => {
        if (target.namespace === refused) throw new ForbiddenError('it says no');
        await server.delete(resource, target, options);
      },
    };
  };
  // Of a clock that is there only once the cluster is.
  const telemetry: Telemetry = {
    controller: (...given) => metrics.controller(...given),
    kind: (...given) => metrics.kind(...given),
    webhook: (...given) => metrics.webhook(...given),
  };
  run = await runOn([site, trip], instead, { telemetry });
  for (const name of ['a', 'b', 'c'])
    await run.cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await run.cluster.apply({
    apiVersion: Site.apiVersion,
    kind: Site.kind,
    metadata: { name: 'blog' },
    spec: { places: ['a', 'b', 'c'] },
  });
  await run.cluster.settled();
});
afterEach(() => run.stop());

const told = () =>
  run.lines.flatMap((line) => (line as { readonly changes?: readonly string[] }).changes ?? []).slice(3);
const pruned = async (controller = 'site', kind = 'ConfigMap') =>
  sampleOf(parseExposition(await metrics.text()), 'kilter_prune_total', { controller, kind });
const left = async () =>
  (await run.cluster.list(ConfigMap)).flatMap(({ metadata }) =>
    metadata.name.startsWith('blog-') ? metadata.namespace : [],
  );

it('the log tells what of a custom resource is deleted as it goes, and what is left behind', async () => {
  await run.cluster.delete(Site, 'blog');
  await run.cluster.settled();
  expect(await left()).toEqual(['c']);
  expect(told()).toEqual([
    'ConfigMap/c/blog-in-c configured (it is left behind)',
    'ConfigMap/b/blog-in-b pruned',
    'ConfigMap/a/blog-in-a pruned',
  ]);
  expect(await pruned()).toBe(2);
  const line = run.lines.findLast(({ msg }) => msg === 'Reconciled');
  expect(line).toMatchObject({ level: 'info', namespace: 'default', name: 'blog', reasons: ['Site updated'] });
});

it('tells what was deleted also where the next is refused, and each once', async () => {
  refused = 'a';
  await run.cluster.delete(Site, 'blog');
  await run.cluster.advance(60);
  expect(await left()).toEqual(['a', 'c']);
  expect(told()).toEqual(['ConfigMap/c/blog-in-c configured (it is left behind)', 'ConfigMap/b/blog-in-b pruned']);
  expect(await pruned()).toBe(1);
});

it('tells what is removed outside the cluster as well, once it is', async () => {
  await run.cluster.apply({ apiVersion: Trip.apiVersion, kind: Trip.kind, metadata: { name: 'north' }, spec: {} });
  await run.cluster.settled();
  await run.cluster.delete(Trip, 'north');
  await run.cluster.advance(10);
  expect(told()).toEqual([]);
  isBusy = false;
  await run.cluster.advance(60);
  expect(await run.cluster.list(Trip)).toEqual([]);
  expect(told()).toEqual(['external/seat pruned']);
  expect(await pruned('trip', 'external')).toBe(1);
});
