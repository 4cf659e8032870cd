import type { ControllerOptions } from '../../src/embedded/controllers/start-controllers.js';
import { EmbeddedServer } from '../../src/embedded/embedded-server.js';
import type { StoredObjects } from '../../src/embedded/state/cluster-state.js';
import type { Clock, Random } from '../../src/kube/clock.js';
import type { Manifest } from '../../src/kube/manifest.js';
import { seededRandom } from '../../src/testing/seeded-random.js';
import { VirtualClock } from '../../src/testing/virtual-clock.js';
import { customResourceDefinition } from './definitions.js';
import { type Cast, operatorsOf } from './operators/all.js';

const namespaces = { apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false };

/** Without Pods nothing is needed of a cluster's own controllers but the garbage collector. */
const collectorOnly: ControllerOptions = {
  namespaces: false,
  namespaceContents: false,
  deployments: false,
  replicaSets: false,
  statefulSets: false,
  daemonSets: false,
  jobs: false,
  cronJobs: false,
  serviceEndpoints: false,
  disruptionBudgets: false,
  volumeClaims: false,
  volumeProtection: false,
  scheduler: false,
  nodes: [],
  pods: false,
};

const templates = new Map<string, Promise<StoredObjects>>();

/** Makes a server of a backup, or one with all definitions and namespaces. What is the same in all of them is made once. */
export async function serverOf(
  { pods, tours = false, extras = false, vaults = false, reviews = false }: Cast,
  clock: Clock,
  random: Random,
): Promise<(backup?: StoredObjects) => EmbeddedServer> {
  const key = `${pods} ${tours} ${extras} ${vaults} ${reviews}`;
  let template = templates.get(key);
  if (!template) {
    template = makeTemplate({ pods, tours, extras, vaults, reviews });
    templates.set(key, template);
  }
  const made = await template;
  const controllers = pods ? {} : collectorOnly;
  return (backup = made) => new EmbeddedServer({ clock, random, controllers, state: backup });
}

async function makeTemplate({ pods, ...more }: Cast): Promise<StoredObjects> {
  const clock = new VirtualClock('2026-01-02T03:00:00Z');
  const server = new EmbeddedServer({ clock, random: seededRandom(0), controllers: pods ? {} : collectorOnly });
  const client = server.cluster();
  const by = { fieldManager: 'setup', force: true };
  await clock.advance(0);
  for (const name of ['blue', 'green']) {
    const manifest: Manifest = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await client.apply(namespaces, manifest, by);
  }
  // Without Tours not even their kind is there: what was drawn before there were any stays the same to the last version.
  for (const { resource } of operatorsOf({ ...more, pods: true }))
    await client.apply(customResourceDefinition, resource.crd(), by);
  await clock.advance(10_000);
  const objects = server.store.resources.flatMap((resource) =>
    server.store.list(resource).map((object) => [resource, object] as const),
  );
  server.stop();
  return { revision: server.store.revision, objects };
}
