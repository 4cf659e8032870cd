import { join } from 'node:path';
import type { BenchPlane } from './bench-plane.js';
import { type Contender, Running } from './contender.js';
import {
  type Creation,
  create,
  createCustomResource,
  type Healing,
  heal,
  type Rest,
  type Restart,
  rest,
  restart,
  type Storm,
  storm,
} from './workloads.js';
import { World } from './world.js';

export interface Size {
  readonly customResources: number;
  readonly heals: number;
  readonly restSeconds: number;
}

/** What one contender did in one round. */
export interface Leg {
  readonly contender: string;
  /** From the start of the process to its first child, in milliseconds. */
  readonly startMilliseconds: number;
  readonly creation: Creation;
  readonly healing?: Healing;
  readonly storm?: Storm;
  readonly rest?: Rest;
  readonly restart?: Restart;
}

/** One contender through all workloads, on an empty cluster that it leaves empty. */
export async function runLeg(bench: BenchPlane, contender: Contender, size: Size, folder: string): Promise<Leg> {
  const { track } = contender;
  const world = await World.watch(bench.admin, track);
  const start = () => new Running(contender.launch(bench), join(folder, `${contender.name}.log`));
  let running: Running | undefined;
  try {
    await createCustomResource({ bench, track }, 'first');
    const began = performance.now();
    running = start();
    const isBegun = () => world.deployments.objects.size + world.services.objects.size > 0;
    await Promise.race([world.until('the first child', isBegun, 60), running.failed]);
    const startMilliseconds = performance.now() - began;
    await world.until('the first custom resource converged', () => world.isConverged('first'), 60);
    await running.untilQuiet(began);

    const scene = { bench, world, track, running };
    const creation = await create(scene, 0, size.customResources);
    const leg = { contender: contender.name, startMilliseconds, creation };
    if (contender.createsOnly) return leg;
    const healing = await heal(scene, size.heals, size.customResources);
    const stormed = await storm(scene, size.customResources);
    const rested = await rest(scene, size.restSeconds);

    await running.stop();
    const restarted = await restart({ bench, world }, () => {
      running = start();
      return running;
    });
    return { ...leg, healing, storm: stormed, rest: rested, restart: restarted };
  } catch (error) {
    throw new Error(`${contender.name}: ${(error as Error).message}\n${running?.tail() ?? ''}`, { cause: error });
  } finally {
    await running?.stop();
    await world.stop();
    await bench.clear();
  }
}
