import { atLeast, atMost, type ByRound, type Mark, neverAbove, type Samples, slowestAtMost } from './mark.js';
import { megabytes } from './megabytes.js';
import type { Leg } from './race.js';
import type { Results } from './results.js';
import { showSpread, spreadOf } from './spread.js';

export const own = 'kilter';
export const rival = 'controller-runtime';
const floor = 'bare loop';

/** Percent of a core with 10,000 custom resources at rest. */
export const restingCpu = 0.3;

/** All that kilter is held to, always the same ones. A ratio is taken within a round, where both met the same machine. */
export function marksOf(results: Results): Mark[] {
  return [...creating(results), ...healing(results), ...storming(results), ...growing(results), ...being(results)];
}

export const rate = (leg: Leg): number | undefined => leg.creation?.perSecond;
export const apiCpu = (leg: Leg): number | undefined => leg.creation?.apiMilliseconds;

function creating({ rounds }: Results): Mark[] {
  const writes = atMost(
    'W1, writes for each custom resource, beside Events',
    3,
    valuesOf(rounds, (leg) => leg.creation?.writes),
    2,
  );
  const events = valuesOf(rounds, (leg) => leg.creation?.events);
  const cpu = valuesOf(rounds, (leg) => leg.creation?.operatorMilliseconds);
  return [
    atLeast('W1, rate ÷ controller-runtime', 1, ratiosTo(rounds, own, rival, rate), 2),
    atMost('W1, API-server CPU ÷ controller-runtime', 1, ratiosTo(rounds, own, rival, apiCpu), 2),
    atLeast('W1, rate ÷ bare loop', 0.9, ratiosTo(rounds, own, floor, rate), 2),
    besideEvents(writes, events),
    atMost('W1, CPU of kilter for each custom resource, ms', 1, cpu, 2),
  ];
}

function healing({ rounds, heals }: Results): Mark[] {
  return (['deleted', 'changed'] as const).flatMap((what) => {
    const median = (leg: Leg) => leg.healing?.[`${what}Median`];
    const slowest = (leg: Leg) => leg.healing?.[`${what}Slowest`];
    const samples = rounds.map((legs): Samples | undefined => {
      const found = legOf(legs, own)?.healing;
      const all = found?.[what];
      return found && { slowest: found[`${what}Slowest`], ...(all ? { all } : {}) };
    });
    return [
      atMost(`W2, ${what}, p50, ms`, 5, valuesOf(rounds, median), 1),
      slowestAtMost(`W2, ${what}, p99, ms`, 15, samples, { samples: heals, digits: 1 }),
      neverAbove(`W2, ${what}, p50 ÷ controller-runtime`, 1, ratiosTo(rounds, own, rival, median), 2),
      neverAbove(`W2, ${what}, p99 ÷ controller-runtime`, 1, ratiosTo(rounds, own, rival, slowest), 2),
    ];
  });
}

function storming({ rounds }: Results): Mark[] {
  const seconds = (leg: Leg) => leg.storm?.seconds;
  const writes = valuesOf(rounds, (leg) => leg.storm?.writesPerChild);
  const events = valuesOf(rounds, (leg) => leg.storm?.eventsPerChild);
  return [
    atMost('W4, time ÷ controller-runtime', 1, ratiosTo(rounds, own, rival, seconds), 2),
    besideEvents(atMost('W4, writes for each child, beside Events', 1, writes, 2), events),
  ];
}

/** Each size is measured once. */
function growing({ growth }: Results): Mark[] {
  const points = growth.find(({ contender }) => contender === own)?.points ?? [];
  const [small, large] = [1000, 10_000].map((size) => points.filter((point) => point.customResources === size));
  return [
    atMost(
      'W6, calls a minute with 10,000',
      0,
      large!.map(({ rest }) => rest.callsPerMinute),
      0,
    ),
    atMost(
      'W6, CPU with 10,000, % of a core',
      restingCpu,
      large!.map(({ rest }) => rest.cpuPercent),
      2,
    ),
    atMost(
      'W7, writes of a restart with 10,000',
      0,
      large!.map(({ restart }) => restart.writes),
      0,
    ),
    atMost(
      'W7, calls beside lists and watches with 10,000',
      0,
      large!.map(({ restart }) => restart.calls),
      0,
    ),
    atMost(
      'RSS with 1,000, MB',
      85,
      small!.map(({ rest }) => megabytes(rest.rss)),
      1,
    ),
    atMost(
      'RSS with 10,000, MB',
      120,
      large!.map(({ rest }) => megabytes(rest.rss)),
      1,
    ),
  ];
}

function being({ rounds, customResources }: Results): Mark[] {
  const rss = valuesOf(customResources === 1000 ? rounds : [], (leg) => leg.rest && megabytes(leg.rest.rss));
  const start = valuesOf(rounds, (leg) => leg.startMilliseconds);
  return [
    atMost('RSS with 1,000, after all workloads, MB', 85, rss, 1),
    atMost('start to first apply, ms', 300, start, 0),
  ];
}

/** Events are no part of what is asked, and no secret. */
function besideEvents(mark: Mark, values: ByRound): Mark {
  if (!mark.isMeasured) return mark;
  const events = values.flatMap((value) => value ?? []);
  const told = events.length > 0 ? `, and ${showSpread(spreadOf(events), 2)} Events` : '; Events were not counted';
  return { ...mark, reached: mark.reached + told };
}

function valuesOf(rounds: Results['rounds'], value: (leg: Leg) => number | undefined): ByRound {
  return rounds.map((legs) => {
    const leg = legOf(legs, own);
    return leg && value(leg);
  });
}

/** The ratio of `value` of one contender to another's, round by round; none where one of them has none. */
export function ratiosTo(
  rounds: Results['rounds'],
  one: string,
  other: string,
  value: (leg: Leg) => number | undefined,
): ByRound {
  return rounds.map((legs) => {
    const [mine, theirs] = [one, other].map((name) => {
      const leg = legOf(legs, name);
      return leg && value(leg);
    });
    return mine === undefined || theirs === undefined || theirs === 0 ? undefined : mine / theirs;
  });
}

function legOf(legs: readonly Leg[], name: string): Leg | undefined {
  return legs.find(({ contender }) => contender === name);
}
