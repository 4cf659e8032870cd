import type { ServerCosts } from './embedded.js';
import type { Growth } from './growth.js';
import { type Measured, partsIn, partsOf } from './provenance.js';
import type { Leg } from './race.js';
import type { WriteCost } from './write-costs.js';

/** All that a run of the bench measured; the report is made of it. */
export interface Results {
  /** What was typed, in order; the last of them made the report. */
  readonly commands: readonly string[];
  readonly machine: string;
  readonly kubernetes: string;
  readonly node: string;
  readonly contenders: readonly Described[];
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
  /** Who went when in each round. Absent where it was not kept. */
  readonly orders?: readonly (readonly string[])[];
  /** What drew them, each anew. Absent where only the first was drawn, and the others were turns of it. */
  readonly seed?: number;
  /** Absent where none was kept. */
  readonly measured?: readonly Measured[];
}

/** What a contender is, and in which parts it was that, where they were put together. */
export interface Described {
  readonly name: string;
  readonly version: string;
  readonly notes: string;
  readonly parts?: readonly string[];
}

/** The results as they are stored. Samples of a kind are on one line: there are thousands, and they are read by programs. */
export function jsonOf(results: Results): string {
  // A string has no line break of its own here.
  const numbers = /\[\n\s+-?\d[\d.e+-]*(?:,\n\s+-?\d[\d.e+-]*)*\n\s+\]/g;
  const json = JSON.stringify(results, undefined, 1).replace(numbers, (found) => found.replace(/\s+/g, ''));
  return `${json}\n`;
}

/** What results may be put together with: none of another machine or another Node. */
export type Setting = Pick<Results, 'machine' | 'node'>;

/** Throws where results of `before` may not be put together with those of `now`. */
export function refuseUnlike(now: Setting, before: Setting): void {
  for (const what of ['machine', 'node'] as const)
    if (now[what] !== before[what])
      throw new Error(
        `the earlier results are of ${before[what]}, and these of ${now[what]}: measure anew, without --resume`,
      );
}

/** `now` with those parts of `before` that were not measured again. Throws as `refuseUnlike`. */
export function withEarlier(now: Results, before: Results): Results {
  refuseUnlike(now, before);
  const race = now.rounds.length > 0 ? now : before;
  const again = partsIn(now);
  const kept = before.contenders.map((each) => ({
    ...each,
    parts: (each.parts ?? partsOf(before, each.name)).filter((part) => !again.includes(part)),
  }));
  const measured = [...(before.measured ?? []).filter(({ part }) => !again.includes(part)), ...(now.measured ?? [])];
  const names = new Set(now.contenders.map(({ name }) => name));
  return {
    // Measured once more, a part takes the place of what it was.
    commands: [...before.commands.filter((command) => !now.commands.includes(command)), ...now.commands],
    machine: now.machine,
    node: now.node,
    kubernetes: now.kubernetes || before.kubernetes,
    contenders: united([...kept, ...now.contenders.map((each) => ({ ...each, parts: partsOf(now, each.name) }))]),
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
    ...(race.orders ? { orders: race.orders } : {}),
    ...(race.seed === undefined ? {} : { seed: race.seed }),
    ...(measured.length > 0 ? { measured } : {}),
  };
}

/** Once for each version and notes that it has numbers of, and of one name after each other. */
function united(all: readonly Required<Described>[]): Described[] {
  const unlike = new Map<string, Required<Described>>();
  for (const each of all) {
    if (each.parts.length === 0) continue;
    const key = [each.name, each.version, each.notes].join('\n');
    unlike.set(key, { ...each, parts: [...(unlike.get(key)?.parts ?? []), ...each.parts] });
  }
  const names = [...new Set([...unlike.values()].map(({ name }) => name))];
  return names.flatMap((name) => [...unlike.values()].filter((each) => each.name === name));
}
