import { setTimeout as sleep } from 'node:timers/promises';
import { inParallel } from './api.js';
import { type BenchPlane, deploymentsPath, type Track } from './bench-plane.js';
import type { Running } from './contender.js';
import { sinceNow } from './own-cpu.js';
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
  /** CPU of the bench, which is there for the same cores. Absent where it was not recorded yet. */
  readonly benchMilliseconds?: number;
  /** Requests that write, Events left out. */
  readonly writes: number;
  /** Absent where they were not counted yet. */
  readonly events?: number;
  /** In mebibytes. */
  readonly rss: number;
}

/** W4: one child of each custom resource changed at once. */
export interface Storm {
  readonly seconds: number;
  /** Requests that write, Events left out; before those were counted, changes of a child. */
  readonly writesPerChild: number;
  /** Absent where they were not counted yet. */
  readonly eventsPerChild?: number;
  readonly operatorMilliseconds: number;
  readonly benchMilliseconds?: number;
}

/** W6: nothing happens. */
export interface Rest {
  readonly callsPerMinute: number;
  /** Of one core. */
  readonly cpuPercent: number;
  readonly benchPercent?: number;
  /** In mebibytes. */
  readonly rss: number;
}

/** W7: the process ends and another begins, and nothing has drifted. */
export interface Restart {
  /** From when the new program was executed until it has nothing left to do. */
  readonly seconds: number;
  readonly cpuMilliseconds: number;
  readonly benchMilliseconds?: number;
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
  const [calls, cpu, own, benchCpu] = [await bench.requests(), bench.cpu(), running.cpu, sinceNow()];
  const start = performance.now();
  await inParallel(count, 64, (index) => createCustomResource({ bench, track }, nameOf(index)));
  await Promise.race([untilConverged(scene, count), running.failed]);
  const seconds = (performance.now() - start) / 1000;
  // What comes after convergence, such as a status that is written once more, belongs to the price.
  await running.untilQuiet(start, scene.end);
  const [after, operator, spent] = [bench.cpu(), running.cpu, benchCpu()];
  const { writes, events } = await bench.requests();
  return {
    perSecond: count / seconds,
    apiMilliseconds: (after.api - cpu.api) / count,
    etcdMilliseconds: (after.etcd - cpu.etcd) / count,
    operatorMilliseconds: (operator - own) / count,
    benchMilliseconds: spent / count,
    // The custom resources themselves were written by the bench.
    writes: (writes - calls.writes - count) / count,
    events: (events - calls.events) / count,
    rss: running.rss,
  };
}

export async function storm(scene: Scene, population: number): Promise<Storm> {
  const { bench, world, running } = scene;
  const [calls, own, benchCpu] = [await bench.requests(), running.cpu, sinceNow()];
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
  const benchMilliseconds = benchCpu() / population;
  const after = await bench.requests();
  return {
    seconds,
    // One for each is the change that the bench made.
    writesPerChild: (after.writes - calls.writes - population) / population,
    eventsPerChild: (after.events - calls.events) / population,
    operatorMilliseconds: (running.cpu - own) / population,
    benchMilliseconds,
  };
}

export async function rest({ bench, running }: Pick<Scene, 'bench' | 'running'>, seconds: number): Promise<Rest> {
  const [calls, own, start, benchCpu] = [await bench.requests(), running.cpu, performance.now(), sinceNow()];
  await sleep(seconds * 1000);
  const [cpu, elapsed, spent] = [running.cpu - own, performance.now() - start, benchCpu()];
  const after = await bench.requests();
  const counted = after.lists + after.others - calls.lists - calls.others;
  return {
    // Of what is counted by kind some may be the API server's own.
    callsPerMinute: Math.min(counted, after.ofAccounts - calls.ofAccounts) * (60 / seconds),
    cpuPercent: (cpu / elapsed) * 100,
    benchPercent: (spent / elapsed) * 100,
    rss: running.rss,
  };
}

/** `start` starts the new process, after the old one has ended. */
export async function restart({ bench, end }: Pick<Scene, 'bench' | 'end'>, start: () => Running): Promise<Restart> {
  const [calls, began, benchCpu] = [await bench.requests(), performance.now(), sinceNow()];
  const running = start();
  const quiet = await running.untilQuiet(began, end, () => bench.hasOperator());
  const [around, benchMilliseconds] = [running.startedAt - began, benchCpu()];
  const after = await bench.requests();
  return {
    seconds: (quiet - around) / 1000,
    cpuMilliseconds: running.cpu,
    benchMilliseconds,
    writes: after.writes - calls.writes,
    lists: after.lists - calls.lists,
    calls: after.others - calls.others,
  };
}

/** Changes a field that the operator set, and answers with the generation that this made. */
export async function changeReplicas(bench: BenchPlane, world: World, owner: string): Promise<number> {
  const { name } = world.deployments.get(owner)!;
  const changed = (await bench.admin.ask('PATCH', `${deploymentsPath}/${name}?fieldManager=somebody`, {
    body: { spec: { replicas: 9 } },
    contentType: 'application/merge-patch+json',
  })) as { readonly metadata: { readonly generation: number } };
  return changed.metadata.generation;
}
