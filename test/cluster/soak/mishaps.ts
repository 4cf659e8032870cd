import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from '../../simulation/dice.js';
import type { RealControlPlane } from '../control-plane.js';
import type { FaultProxy } from '../fault-proxy.js';
import { type Fault, type Match, refusal } from '../proxy-rules.js';
import type { Crew, Version } from './crew.js';
import type { Deeds } from './hands.js';

const plurals = ['memcacheds', 'deployments', 'services', 'foos', 'configmaps', 'configmapsyncs'] as const;
const refusals = [
  refusal(409, 'Conflict'),
  refusal(429, 'TooManyRequests', { retryAfterSeconds: 1 }),
  refusal(500, 'InternalError'),
  refusal(503, 'ServiceUnavailable'),
] as const;

interface Between {
  readonly plane: RealControlPlane;
  readonly proxy: FaultProxy;
  readonly crew: Crew;
  readonly versions: readonly Version[];
}

/** What goes wrong between the controllers and their API server, or with either; each resolves when it is over or left to itself. */
export function mishapsOf({ plane, proxy, crew, versions }: Between, dice: Dice): Deeds {
  const milliseconds = (atMost: number) => dice.whole(0, atMost);
  /** For some seconds. */
  const meet = async (match: Match, fault: Fault) => {
    const rule = proxy.on({ times: Number.POSITIVE_INFINITY, ...match }, fault);
    await sleep(milliseconds(4000));
    rule.release();
  };
  const watchOf = (): Match => ({ watch: true, path: dice.one([...plurals, 'pods', 'namespaces?']) });
  return {
    'connections that break': async () => proxy.dropConnections(),
    'a watch that ends': async () => proxy.end(watchOf(), dice.one(['finish', 'reset', 'close'])),
    'a watch that falls silent': async () => proxy.end(watchOf(), 'stall'),
    'a watch that is late': () => meet(watchOf(), { type: 'hold events' }),
    'versions that are gone': () => {
      proxy.end({ watch: true }, 'close');
      return meet({ watch: true, times: 3 }, refusal(410, 'Expired'));
    },
    'slow answers': () =>
      meet({ path: dice.one(plurals) }, { type: 'delay', milliseconds: milliseconds(1500), of: 'answer' }),
    'slow requests': () =>
      meet({ path: dice.one(plurals) }, { type: 'delay', milliseconds: milliseconds(1500), of: 'request' }),
    refusals: () =>
      meet(
        { path: dice.one([...plurals, 'leases']), write: dice.percent(50), times: dice.whole(1, 20) },
        dice.one(refusals),
      ),
    'answers that are lost': () =>
      meet(
        { path: dice.one(plurals), write: true, times: dice.whole(1, 4) },
        { type: 'after committed', run: () => {}, next: 'drop' },
      ),
    'a partition': async () => {
      proxy.partition();
      await sleep(milliseconds(6000));
      proxy.heal();
    },
    'a history that is forgotten': () => plane.compact(),
    'a server that starts anew': () => plane.restart(),
    'a process of another version': async () => crew.rollOne(dice.one(versions)),
    'a process that is killed': () => crew.kill(),
    'a process that is asked to end': async () => crew.terminate(),
    'a process that stands still': () => crew.standStill(milliseconds(12_000)),
  };
}
