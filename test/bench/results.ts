import type { ServerCosts } from './embedded.js';
import type { Growth } from './growth.js';
import type { Leg } from './race.js';
import type { WriteCost } from './write-costs.js';

/** All that a run of the bench measured; the report is made of it. */
export interface Results {
  /** What was typed, in order; the last of them made the report. */
  readonly commands: readonly string[];
  readonly machine: string;
  readonly kubernetes: string;
  readonly node: string;
  /** By name, what each contender is. */
  readonly contenders: readonly { readonly name: string; readonly version: string; readonly notes: string }[];
  readonly leftOut: readonly string[];
  readonly customResources: number;
  readonly heals: number;
  /** Rounds of the race, of one leg for each contender. */
  readonly rounds: readonly (readonly Leg[])[];
  readonly growth: readonly Growth[];
  readonly writeCosts: readonly WriteCost[];
  readonly servers: readonly ServerCosts[];
  /** The tables of `render.js`. */
  readonly render: string;
}

/** `now` with those parts of `before` that were not measured again. Of two machines or versions nothing is put together. */
export function withEarlier(now: Results, before: Results): Results {
  for (const what of ['machine', 'node'] as const)
    if (now[what] !== before[what])
      throw new Error(`the earlier results are of ${before[what]}, and these of ${now[what]}`);
  const race = now.rounds.length > 0 ? now : before;
  const names = new Set(now.contenders.map(({ name }) => name));
  return {
    commands: [...before.commands, ...now.commands],
    machine: now.machine,
    node: now.node,
    kubernetes: now.kubernetes || before.kubernetes,
    contenders: [...before.contenders.filter(({ name }) => !names.has(name)), ...now.contenders],
    leftOut: [...new Set([...before.leftOut, ...now.leftOut])].filter(
      (line) => ![...names].some((name) => line.startsWith(`${name} `)),
    ),
    customResources: race.customResources,
    heals: race.heals,
    rounds: race.rounds,
    growth: [
      ...now.growth,
      ...before.growth.filter((each) => now.growth.every(({ contender }) => contender !== each.contender)),
    ],
    writeCosts: now.writeCosts.length > 0 ? now.writeCosts : before.writeCosts,
    servers: now.servers.length > 0 ? now.servers : before.servers,
    render: now.render || before.render,
  };
}
