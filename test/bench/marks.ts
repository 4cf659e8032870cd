import type { Leg } from './race.js';
import type { Results } from './results.js';
import { type Spread, showSpread, spreadOf } from './spread.js';

/** What kilter is held to, and what it reached. */
export interface Mark {
  readonly what: string;
  readonly asked: string;
  readonly reached: string;
  readonly isReached: boolean;
}

export const own = 'kilter';
const rival = 'controller-runtime';
const floor = 'bare loop';

/** Percent of a core with 10,000 custom resources at rest. */
export const restingCpu = 0.3;

/** Each mark that this run has numbers for. A ratio is taken within a round, where both met the same machine. */
export function marksOf(results: Results): Mark[] {
  const legs = results.rounds.flat().filter(({ contender }) => contender === own);
  const of = (value: (leg: Leg) => number | undefined): Spread | undefined => {
    const values = legs.flatMap((leg) => value(leg) ?? []);
    return values.length === 0 ? undefined : spreadOf(values);
  };
  const against = (other: string, value: (leg: Leg) => number | undefined): Spread | undefined => {
    const ratios = ratiosTo(results.rounds, own, other, value);
    return ratios.length === 0 ? undefined : spreadOf(ratios);
  };
  const large = results.growth
    .find(({ contender }) => contender === own)
    ?.points.find(({ customResources }) => customResources === 10_000);
  const small = results.growth
    .find(({ contender }) => contender === own)
    ?.points.find(({ customResources }) => customResources === 1000);

  const marks: (Mark | undefined)[] = [
    atLeast('W1, rate ÷ controller-runtime', 1, against(rival, rate), 2),
    atMost('W1, API-server CPU ÷ controller-runtime', 1, against(rival, apiCpu), 2),
    atLeast('W1, rate ÷ bare loop', 0.9, against(floor, rate), 2),
    besideEvents(
      atMost(
        'W1, writes for each custom resource, beside Events',
        3,
        of((leg) => leg.creation?.writes),
        2,
      ),
      of((leg) => leg.creation?.events),
    ),
    atMost(
      'W1, CPU of kilter for each custom resource, ms',
      1,
      of((leg) => leg.creation?.operatorMilliseconds),
      2,
    ),
    atMost(
      'W2, deleted, p50, ms',
      5,
      of((leg) => leg.healing?.deletedMedian),
      1,
    ),
    atMost(
      'W2, deleted, p99, ms',
      15,
      of((leg) => leg.healing?.deletedSlowest),
      1,
    ),
    atMost(
      'W2, changed, p50, ms',
      5,
      of((leg) => leg.healing?.changedMedian),
      1,
    ),
    atMost(
      'W2, changed, p99, ms',
      15,
      of((leg) => leg.healing?.changedSlowest),
      1,
    ),
    atMost(
      'W2, deleted, p50 ÷ controller-runtime',
      1,
      against(rival, (leg) => leg.healing?.deletedMedian),
      2,
    ),
    atMost(
      'W2, changed, p50 ÷ controller-runtime',
      1,
      against(rival, (leg) => leg.healing?.changedMedian),
      2,
    ),
    atMost(
      'W4, time ÷ controller-runtime',
      1,
      against(rival, (leg) => leg.storm?.seconds),
      2,
    ),
    besideEvents(
      atMost(
        'W4, writes for each child, beside Events',
        1,
        of((leg) => leg.storm?.writesPerChild),
        2,
      ),
      of((leg) => leg.storm?.eventsPerChild),
    ),
    atMost('W6, calls a minute with 10,000', 0, large ? single(large.rest.callsPerMinute) : undefined, 0),
    atMost('W6, CPU with 10,000, % of a core', restingCpu, large ? single(large.rest.cpuPercent) : undefined, 2),
    atMost('W7, writes of a restart with 10,000', 0, large ? single(large.restart.writes) : undefined, 0),
    atMost('W7, calls beside lists and watches with 10,000', 0, large ? single(large.restart.calls) : undefined, 0),
    atMost(
      'RSS with 1,000, after all workloads, MiB',
      85,
      results.customResources === 1000 ? of((leg) => leg.rest?.rss) : undefined,
      0,
    ),
    atMost('RSS with 1,000, MiB', 85, small ? single(small.rest.rss) : undefined, 0),
    atMost('RSS with 10,000, MiB', 120, large ? single(large.rest.rss) : undefined, 0),
    atMost(
      'start to first apply, ms',
      300,
      of((leg) => leg.startMilliseconds),
      0,
    ),
  ];
  return marks.flatMap((mark) => mark ?? []);
}

/** Events are no part of what is asked, and no secret. */
function besideEvents(mark: Mark | undefined, events: Spread | undefined): Mark | undefined {
  const told = events ? `, and ${showSpread(events, 2)} Events` : '; Events were not counted';
  return mark && { ...mark, reached: mark.reached + told };
}

/** The ratio of `value` of one contender to another's, round by round. */
export function ratiosTo(
  rounds: readonly (readonly Leg[])[],
  one: string,
  other: string,
  value: (leg: Leg) => number | undefined,
): number[] {
  return rounds.flatMap((legs) => {
    const [mine, theirs] = [one, other].map((name) => {
      const leg = legs.find(({ contender }) => contender === name);
      return leg && value(leg);
    });
    return mine === undefined || theirs === undefined || theirs === 0 ? [] : [mine / theirs];
  });
}

export const rate = (leg: Leg): number | undefined => leg.creation?.perSecond;
export const apiCpu = (leg: Leg): number | undefined => leg.creation?.apiMilliseconds;

const single = (value: number): Spread => ({ median: value, least: value, most: value });

export function atLeast(what: string, asked: number, reached: Spread | undefined, digits: number): Mark | undefined {
  return (
    reached && { what, asked: `≥ ${asked}`, reached: showSpread(reached, digits), isReached: reached.median >= asked }
  );
}

export function atMost(what: string, asked: number, reached: Spread | undefined, digits: number): Mark | undefined {
  return (
    reached && { what, asked: `≤ ${asked}`, reached: showSpread(reached, digits), isReached: reached.median <= asked }
  );
}
