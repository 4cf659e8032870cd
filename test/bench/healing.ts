import { setTimeout as sleep } from 'node:timers/promises';
import { servicesPath } from './bench-plane.js';
import { sinceNow } from './own-cpu.js';
import { percentile } from './spread.js';
import { changeReplicas, nameOf, type Scene, until } from './workloads.js';

/** W2: how long until what was taken is back, in milliseconds. */
export interface Healing {
  readonly deletedMedian: number;
  readonly deletedSlowest: number;
  readonly changedMedian: number;
  readonly changedSlowest: number;
  /** One by one, since the slowest of several rounds are not to be had of numbers for each. Absent where they were not kept. */
  readonly deleted?: readonly number[];
  readonly changed?: readonly number[];
  /** CPU of the bench for each child. Absent where it was not recorded yet. */
  readonly benchMilliseconds?: number;
}

/** One child at a time, deleted or changed by somebody else. */
export async function heal(scene: Scene, times: number, population: number): Promise<Healing> {
  const { bench, world, running, end } = scene;
  const [deleted, changed, benchCpu]: [number[], number[], () => number] = [[], [], sinceNow()];
  for (let index = 0; index < times; index++) {
    await pause();
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
    await pause();
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
  return { ...healingOf(deleted, changed), benchMilliseconds: benchCpu() / (2 * times) };
}

/** What is kept of the samples: they themselves, in hundredths, and of them what one asks for first. */
export function healingOf(deleted: readonly number[], changed: readonly number[]): Healing {
  const kept = (samples: readonly number[]) => samples.map((sample) => Math.round(sample * 100) / 100);
  return {
    deletedMedian: percentile(deleted, 0.5),
    deletedSlowest: percentile(deleted, 0.99),
    changedMedian: percentile(changed, 0.5),
    changedSlowest: percentile(changed, 0.99),
    deleted: kept(deleted),
    changed: kept(changed),
  };
}

/**
 * Nobody is asked while still busy with the end of the sample before, such as a status, and no sample keeps step with a
 * timer of somebody's.
 */
function pause(): Promise<void> {
  return sleep(20 + Math.random() * 30);
}
