import { join } from 'node:path';
import type { BenchPlane } from './bench-plane.js';
import { type Contender, Running } from './contender.js';
import { create, type Rest, type Restart, rest, restart } from './workloads.js';
import { World } from './world.js';

/** One contender with so many custom resources, all converged, after it was started anew. */
export interface GrowthPoint {
  readonly customResources: number;
  readonly restart: Restart;
  readonly rest: Rest;
}

export interface Growth {
  readonly contender: string;
  readonly points: readonly GrowthPoint[];
}

/** Lets a cluster grow to each of `sizes`, and looks at each what it costs to start and to be there. */
export async function grow(
  bench: BenchPlane,
  contender: Contender,
  { sizes, restSeconds, folder }: { sizes: readonly number[]; restSeconds: number; folder: string },
  progress: (line: string) => void,
): Promise<Growth> {
  const { track } = contender;
  const start = () => new Running(contender.launch(bench), join(folder, `${contender.name}.log`));
  const world = await World.watch(bench.admin, track);
  let running = start();
  const points: GrowthPoint[] = [];
  try {
    await running.untilQuiet(performance.now());
    let before = 0;
    for (const size of sizes) {
      progress(`${contender.name}: growing to ${size} custom resources`);
      await create({ bench, world, track, running }, before, size);
      before = size;
      await running.stop();
      const restarted = await restart({ bench, world }, () => {
        running = start();
        return running;
      });
      const rested = await rest({ bench, running }, restSeconds);
      points.push({ customResources: size, restart: restarted, rest: rested });
    }
    return { contender: contender.name, points };
  } catch (error) {
    throw new Error(`${contender.name}: ${(error as Error).message}\n${running.tail()}`, { cause: error });
  } finally {
    await running.stop();
    await world.stop();
    await bench.clear();
  }
}
