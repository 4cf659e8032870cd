import { setTimeout as sleep } from 'node:timers/promises';
import { inParallel } from './api.js';
import { type BenchPlane, deploymentsPath, servicesPath, type Track } from './bench-plane.js';
import type { Running } from './contender.js';
import { percentile } from './spread.js';
import type { World } from './world.js';

/** For so long nothing is asked of anybody, so that the end of one workload is no part of the next. */
export const settleSeconds = 15;

/** What a workload needs: the cluster, what an observer sees of it, and who is measured. */
export interface Scene {
  readonly bench: BenchPlane;
  readonly world: World;
  readonly track: Track;
  readonly running: Running;
  /** When all must be done, by the clock of `performance.now()`. */
  readonly end: number;
}

/** W1: custom resources from their creation until all are converged, status included. */
export interface Creation {
  readonly perSecond: number;
  readonly apiMilliseconds: number;
  readonly etcdMilliseconds: number;
  readonly operatorMilliseconds: number;
  /** Requests that write, Events left out. */
  readonly writes: number;
  /** Absent where they were not counted yet. */
  readonly events?: number;
  readonly rss: number;
}

/** W2: how long until what was taken is back, in milliseconds. */
export interface Healing {
  readonly deletedMedian: number;
  readonly deletedSlowest: number;
  readonly changedMedian: number;
  readonly changedSlowest: number;
}

/** W4: one child of each custom resource changed at once. */
export interface Storm {
  readonly seconds: number;
  /** Requests that write, Events left out; before those were counted, changes of a child. */
  readonly writesPerChild: number;
  /** Absent where they were not counted yet. */
  readonly eventsPerChild?: number;
  readonly operatorMilliseconds: number;
}

/** W6: nothing happens. */
export interface Rest {
  readonly callsPerMinute: number;
  /** Of one core. */
  readonly cpuPercent: number;
  readonly rss: number;
}

/** W7: the process ends and another begins, and nothing has drifted. */
export interface Restart {
  /** Until the new process has nothing left to do. */
  readonly seconds: number;
  readonly cpuMilliseconds: number;
  /** Requests that write, Events left out. */
  readonly writes: number;
  /** Pages of lists; a list that comes as a watch is none. */
  readonly lists: number;
  /** Beside lists and watches. */
  readonly calls: number;
}

export const nameOf = (index: number): string => `m${index}`;

/** Waits for what is to be seen, and no longer than whoever is to bring it about lives. */
export function until(
  { world, running, end }: Scene,
  what: string,
  test: () => boolean,
  reached?: () => string,
): Promise<void> {
  return Promise.race([world.until(what, test, end, reached), running.failed]);
}

export function createCustomResource({ bench, track }: Pick<Scene, 'bench' | 'track'>, name: string): Promise<unknown> {
  const body = { apiVersion: track.apiVersion, kind: 'Memcached', metadata: { name }, spec: { size: 3 } };
  return bench.admin.ask('POST', track.path, { body });
}

/** Waits until `count` custom resources have their children and a status of their present generation. */
export function untilConverged(scene: Pick<Scene, 'world' | 'end'>, count: number): Promise<void> {
  const { world, end } = scene;
  const open = new Set(Array.from({ length: count }, (_, index) => nameOf(index)));
  const isDone = () => {
    for (const name of open) {
      if (!world.isConverged(name)) return false;
      open.delete(name);
    }
    return true;
  };
  return world.until('all custom resources had converged', isDone, end, () => {
    const converged = count - [...open].filter((name) => !world.isConverged(name)).length;
    return `${converged} of ${count} had`;
  });
}

export async function create(scene: Scene, count: number): Promise<Creation> {
  const { bench, track, running } = scene;
  const [calls, cpu, own] = [await bench.requests(), bench.cpu(), running.cpu];
  const start = performance.now();
  await inParallel(count, 64, (index) => createCustomResource({ bench, track }, nameOf(index)));
  await Promise.race([untilConverged(scene, count), running.failed]);
  const seconds = (performance.now() - start) / 1000;
  // What comes after convergence, such as a status that is written once more, belongs to the price.
  await running.untilQuiet(start, scene.end);
  const [after, operator] = [bench.cpu(), running.cpu];
  const { writes, events } = await bench.requests();
  return {
    perSecond: count / seconds,
    apiMilliseconds: (after.api - cpu.api) / count,
    etcdMilliseconds: (after.etcd - cpu.etcd) / count,
    operatorMilliseconds: (operator - own) / count,
    // The custom resources themselves were written by the bench.
    writes: (writes - calls.writes - count) / count,
    events: (events - calls.events) / count,
    rss: running.rss,
  };
}

/** One child at a time, deleted or changed by somebody else. */
export async function heal(scene: Scene, times: number, population: number): Promise<Healing> {
  const { bench, world, running, end } = scene;
  const [deleted, changed]: [number[], number[]] = [[], []];
  for (let index = 0; index < times; index++) {
    const { name, uid } = world.services.get(nameOf(index % population))!;
    const start = performance.now();
    await bench.admin.ask('DELETE', `${servicesPath}/${name}`);
    await until(scene, `Service ${name} was back`, () => {
      const service = world.services.get(nameOf(index % population));
      return service !== undefined && service.uid !== uid;
    });
    deleted.push(performance.now() - start);
  }
  for (let index = 0; index < times; index++) {
    const start = performance.now();
    const name = nameOf(index % population);
    const generation = await changeReplicas(bench, world, name);
    await until(scene, `the Deployment of ${name} was as it had been`, () => {
      const deployment = world.deployments.get(name);
      return deployment?.replicas === 3 && deployment.generation > generation;
    });
    changed.push(performance.now() - start);
  }
  // What waited until there was nothing more urgent, such as Events, is no part of the next workload.
  await running.untilQuiet(performance.now(), end);
  return {
    deletedMedian: percentile(deleted, 0.5),
    deletedSlowest: percentile(deleted, 0.99),
    changedMedian: percentile(changed, 0.5),
    changedSlowest: percentile(changed, 0.99),
  };
}

export async function storm(scene: Scene, population: number): Promise<Storm> {
  const { bench, world, running } = scene;
  const [calls, own] = [await bench.requests(), running.cpu];
  const start = performance.now();
  const generations = new Map<string, number>();
  await inParallel(population, 64, async (index) => {
    generations.set(nameOf(index), await changeReplicas(bench, world, nameOf(index)));
  });
  const isDone = () => {
    for (const [name, generation] of generations) {
      const deployment = world.deployments.get(name);
      if (deployment?.replicas !== 3 || deployment.generation <= generation) return false;
      generations.delete(name);
    }
    return true;
  };
  await until(
    scene,
    'all Deployments were as they had been',
    isDone,
    () => `at least ${population - generations.size} of ${population} were`,
  );
  const seconds = (performance.now() - start) / 1000;
  await running.untilQuiet(start, scene.end);
  const after = await bench.requests();
  return {
    seconds,
    // One for each is the change that the bench made.
    writesPerChild: (after.writes - calls.writes - population) / population,
    eventsPerChild: (after.events - calls.events) / population,
    operatorMilliseconds: (running.cpu - own) / population,
  };
}

export async function rest({ bench, running }: Pick<Scene, 'bench' | 'running'>, seconds: number): Promise<Rest> {
  const [calls, own, start] = [await bench.requests(), running.cpu, performance.now()];
  await sleep(seconds * 1000);
  const [cpu, elapsed] = [running.cpu - own, performance.now() - start];
  const after = await bench.requests();
  const counted = after.lists + after.others - calls.lists - calls.others;
  return {
    // Of what is counted by kind some may be the API server's own.
    callsPerMinute: Math.min(counted, after.ofAccounts - calls.ofAccounts) * (60 / seconds),
    cpuPercent: (cpu / elapsed) * 100,
    rss: running.rss,
  };
}

/** `start` starts the new process, after the old one has ended. */
export async function restart({ bench, end }: Pick<Scene, 'bench' | 'end'>, start: () => Running): Promise<Restart> {
  const [calls, began] = [await bench.requests(), performance.now()];
  const running = start();
  const quiet = await running.untilQuiet(began, end, () => bench.hasOperator());
  const after = await bench.requests();
  return {
    seconds: quiet / 1000,
    cpuMilliseconds: running.cpu,
    writes: after.writes - calls.writes,
    lists: after.lists - calls.lists,
    calls: after.others - calls.others,
  };
}

/** Changes a field that the operator set, and answers with the generation that this made. */
async function changeReplicas(bench: BenchPlane, world: World, owner: string): Promise<number> {
  const { name } = world.deployments.get(owner)!;
  const changed = (await bench.admin.ask('PATCH', `${deploymentsPath}/${name}?fieldManager=somebody`, {
    body: { spec: { replicas: 9 } },
    contentType: 'application/merge-patch+json',
  })) as { readonly metadata: { readonly generation: number } };
  return changed.metadata.generation;
}
