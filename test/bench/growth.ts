import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject } from '../../src/kube/manifest.js';
import { inParallel } from './api.js';
import { bareWrites, peerWrites, writeBarely } from './bare-writes.js';
import { type BenchPlane, benchNamespace, kilterTrack } from './bench-plane.js';
import { type Contender, Running } from './contender.js';
import {
  createCustomResource,
  nameOf,
  type Rest,
  type Restart,
  rest,
  restart,
  settleSeconds,
  untilConverged,
} from './workloads.js';
import { World } from './world.js';

/** One contender with so many custom resources, all converged, after it was started anew. */
export interface GrowthPoint {
  readonly customResources: number;
  readonly restart: Restart;
  readonly rest: Rest;
}

export interface Growth {
  readonly contender: string;
  /** How many processes ran or waited to in the minute before. Absent where it was not recorded yet. */
  readonly loadBefore?: number;
  /** Why there are no more points. */
  readonly endedEarly?: string;
  readonly points: readonly GrowthPoint[];
}

export interface GrowthPlan {
  readonly sizes: readonly number[];
  readonly restSeconds: number;
  /** How long a start may take. */
  readonly limitSeconds: number;
}

/**
 * Lets a cluster grow to each of `sizes`, and looks at each what it costs to start and to be there. What it has grown by
 * was written as the contender would have: nothing is to be measured of that, and tens of thousands are to be there soon.
 * That they are as the contender wants them shows in its restart, which writes nothing.
 */
export async function grow(
  bench: BenchPlane,
  contender: Contender,
  { sizes, restSeconds, limitSeconds, folder }: GrowthPlan & { readonly folder: string },
  progress: (line: string) => void,
): Promise<Growth> {
  const { track, name } = contender;
  const runs: Running[] = [];
  const start = () => {
    const running = new Running(contender.launch(bench), join(folder, `${name}.log`));
    runs.push(running);
    return running;
  };
  const loadBefore = loadavg()[0]!;
  const world = await World.watch(bench.admin, track);
  const points: GrowthPoint[] = [];
  let before = 0;
  try {
    for (const size of [...sizes].sort((a, b) => a - b)) {
      progress(`${name}: growing to ${size} custom resources`);
      await populate(bench, contender, before, size, progress);
      before = size;
      const end = performance.now() + limitSeconds * 1000;
      await untilConverged({ world, end }, size);

      progress(`${name}: starting with ${size}`);
      const restarted = await restart({ bench, end }, start);
      // The last of a start, such as the garbage that it left, is no part of being at rest.
      await sleep(settleSeconds * 1000);
      const running = runs.at(-1)!;
      points.push({ customResources: size, restart: restarted, rest: await rest({ bench, running }, restSeconds) });
      await running.stop();
    }
    return { contender: name, loadBefore, points };
  } catch (error) {
    const endedEarly = [(error as Error).message, runs.at(-1)?.tail()].join('\n').trim();
    return { contender: name, loadBefore, points, endedEarly };
  } finally {
    for (const running of runs) await running.stop();
    await world.stop();
  }
}

/** Custom resources from index `from` to `to` - 1, with children and status. */
async function populate(
  bench: BenchPlane,
  { name, track }: Contender,
  from: number,
  to: number,
  progress: (line: string) => void,
): Promise<void> {
  const peers = peerWrites(benchNamespace);
  let [done, told] = [0, performance.now()];
  await inParallel(to - from, 64, async (index) => {
    const cr = (await createCustomResource({ bench, track }, nameOf(from + index))) as KubeObject;
    await writeBarely(bench.admin, track === kilterTrack ? bareWrites(benchNamespace, cr.metadata) : peers, cr);
    done++;
    if (performance.now() - told < 20_000) return;
    told = performance.now();
    progress(`${name}: ${done} of ${to - from}`);
  });
}
