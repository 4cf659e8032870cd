import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchPlane } from './bench-plane.js';
import { type Contender, Running } from './contender.js';
import { type Healing, heal } from './healing.js';
import { type Before, beforeLeg } from './quiet.js';
import {
  type Creation,
  create,
  createCustomResource,
  type Rest,
  type Restart,
  rest,
  restart,
  type Storm,
  settleSeconds,
  storm,
  until,
} from './workloads.js';
import { World } from './world.js';

export interface Size {
  readonly customResources: number;
  readonly heals: number;
  readonly restSeconds: number;
  /** How long a leg may take, its rest left out. */
  readonly limitSeconds: number;
}

/** What one contender did in one round: all of it, or what it reached before something ended it. */
export interface Leg {
  readonly contender: string;
  /** Absent where it was not recorded yet. */
  readonly before?: Before;
  /** Why there is no more. */
  readonly endedEarly?: string;
  /** From when its program was executed to its first child, in milliseconds. */
  readonly startMilliseconds?: number;
  readonly creation?: Creation;
  readonly healing?: Healing;
  readonly storm?: Storm;
  readonly rest?: Rest;
  readonly restart?: Restart;
}

/**
 * One contender through all workloads, on an empty cluster that it leaves empty. One that fails, or is not done when its
 * time is up, does not end the bench: its leg says so, and has what was measured until then.
 */
export async function runLeg(bench: BenchPlane, contender: Contender, size: Size, folder: string): Promise<Leg> {
  const { track, name } = contender;
  const before = await beforeLeg(bench);
  const end = performance.now() + size.limitSeconds * 1000;
  const world = await World.watch(bench.admin, track);
  const start = () => new Running(contender.launch(bench), join(folder, `${name}.log`));
  let leg: Leg = { contender: name, before };
  let running: Running | undefined;
  try {
    await createCustomResource({ bench, track }, 'first');
    const began = performance.now();
    running = start();
    const scene = { bench, world, track, running, end };
    await until(scene, 'there was a child', () => world.deployments.size + world.services.size > 0);
    leg = { ...leg, startMilliseconds: performance.now() - running.startedAt };
    await until(scene, 'the first custom resource had converged', () => world.isConverged('first'));
    await running.untilQuiet(began, end);

    leg = { ...leg, creation: await create(scene, size.customResources) };
    if (contender.createsOnly) return leg;
    // An idle machine, on which nobody writes down what became of the last workload.
    await sleep(settleSeconds * 1000);
    leg = { ...leg, healing: await heal(scene, size.heals, size.customResources) };
    leg = { ...leg, storm: await storm(scene, size.customResources) };
    leg = { ...leg, rest: await rest(scene, size.restSeconds) };

    await running.stop();
    const restarted = await restart({ bench, end: end + size.restSeconds * 1000 }, () => {
      running = start();
      return running;
    });
    return { ...leg, restart: restarted };
  } catch (error) {
    return { ...leg, endedEarly: [(error as Error).message, running?.tail() ?? ''].join('\n').trim() };
  } finally {
    await running?.stop();
    await world.stop();
    await bench.clear();
  }
}
