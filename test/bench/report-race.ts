import { apiCpu, rate, ratiosTo, rival } from './marks.js';
import { megabytes } from './megabytes.js';
import type { Leg } from './race.js';
import type { Results } from './results.js';
import { showNumber, showSpread, spreadOf } from './spread.js';
import { type Row, table } from './table.js';
import { settleSeconds } from './workloads.js';

/** Of a workload that was done, when this was not yet asked of it. */
const notRecorded = 'not recorded';

/** A number, if there is one, and its digits. */
type Cell = readonly [number | typeof notRecorded | undefined, number];

function recorded<Work>(work: Work | undefined, value: (work: Work) => number | undefined, digits: number): Cell {
  return [work && (value(work) ?? notRecorded), digits];
}

/** The race, as the report tells it. */
export function race({ rounds, orders, seed, customResources, heals }: Results): string[] {
  if (rounds.length === 0) return [];
  const names = (rounds[0] ?? []).map(({ contender }) => contender);
  const row = (name: string, ...cells: ((leg: Leg) => Cell)[]): Row => [
    name,
    ...cells.map((cell) => {
      const found = rounds.flat().flatMap((leg) => (leg.contender === name ? [cell(leg)] : []));
      const values = found.flatMap(([value]) => (typeof value === 'number' ? value : []));
      if (values.length === 0) return found.some(([value]) => value === notRecorded) ? notRecorded : '';
      return showSpread(spreadOf(values), found[0]?.[1] ?? 0);
    }),
  ];
  const ratio = (name: string, value: (leg: Leg) => number | undefined): string => {
    const ratios = ratiosTo(rounds, name, rival, value).flatMap((each) => each ?? []);
    return ratios.length === 0 ? '' : showSpread(spreadOf(ratios), 2);
  };
  return [
    `## ${showNumber(customResources)} custom resources, ${rounds.length} ${rounds.length === 1 ? 'round' : 'rounds'}`,
    'Each contender works alone on the same control plane, with sixteen custom resources at once, as a service account with the RBAC ' +
      'that kilter renders. A Memcached has a Deployment, a headless Service and a status.',
    ...turns(rounds, orders, seed),
    '**W1: from creation to converged, status included.** Rate, CPU of the API server, of etcd, its own and that of the bench, writes and Events for each custom resource. ' +
      writesCounted(rounds.flat()),
    table(
      [
        '',
        'a second',
        '÷ controller-runtime',
        'API server ms',
        '÷ controller-runtime',
        'etcd ms',
        'own ms',
        'bench ms',
        'writes',
        'Events',
      ],
      names.map((name) => {
        const [, perSecond = '', api = '', ...others] = row(
          name,
          (leg) => [leg.creation?.perSecond, 0],
          (leg) => [leg.creation?.apiMilliseconds, 2],
          (leg) => [leg.creation?.etcdMilliseconds, 2],
          (leg) => [leg.creation?.operatorMilliseconds, 2],
          (leg) => recorded(leg.creation, ({ benchMilliseconds }) => benchMilliseconds, 2),
          (leg) => [leg.creation?.writes, 2],
          (leg) => [leg.creation?.events, 2],
        );
        return [name, perSecond, ratio(name, rate), api, ratio(name, apiCpu), ...others];
      }),
    ),
    `**W2: one child deleted, or one field of one changed, ${heals} times each**, until an independent watch sees it back, in ms, from ${settleSeconds} seconds after W1${paced(rounds.flat())}. ` +
      '**W4: a field changed in all Deployments at once**, until all are back.',
    table(
      [
        '',
        'deleted p50',
        'p99',
        'changed p50',
        'p99',
        'bench ms a child',
        'W4 s',
        'writes a child',
        'Events a child',
        'own ms a child',
        'bench ms a child',
      ],
      names
        .map((name) =>
          row(
            name,
            (leg) => [leg.healing?.deletedMedian, 1],
            (leg) => [leg.healing?.deletedSlowest, 1],
            (leg) => [leg.healing?.changedMedian, 1],
            (leg) => [leg.healing?.changedSlowest, 1],
            (leg) => recorded(leg.healing, ({ benchMilliseconds }) => benchMilliseconds, 2),
            (leg) => [leg.storm?.seconds, 2],
            (leg) => [leg.storm?.writesPerChild, 2],
            (leg) => [leg.storm?.eventsPerChild, 2],
            (leg) => [leg.storm?.operatorMilliseconds, 2],
            (leg) => recorded(leg.storm, ({ benchMilliseconds }) => benchMilliseconds, 2),
          ),
        )
        .filter((cells) => cells[1] !== ''),
    ),
    '**W6: at rest. W7: restarted, with nothing drifted**, until it has nothing left to do; a list that comes as a watch is none, and watches are not counted. ' +
      startTimed(rounds.flat()),
    table(
      [
        '',
        'calls a minute',
        'CPU %',
        'bench CPU %',
        'RSS MB',
        'restart s',
        'CPU ms',
        'bench ms',
        'writes',
        'lists',
        'calls',
        'start ms',
      ],
      names.map((name) =>
        row(
          name,
          (leg) => [leg.rest?.callsPerMinute, 0],
          (leg) => [leg.rest?.cpuPercent, 2],
          (leg) => recorded(leg.rest, ({ benchPercent }) => benchPercent, 2),
          (leg) => [rssOf(leg), 0],
          (leg) => [leg.restart?.seconds, 2],
          (leg) => [leg.restart?.cpuMilliseconds, 0],
          (leg) => recorded(leg.restart, ({ benchMilliseconds }) => benchMilliseconds, 0),
          (leg) => [leg.restart?.writes, 0],
          (leg) => [leg.restart?.lists, 0],
          (leg) => [leg.restart?.calls, 0],
          (leg) => [leg.startMilliseconds, 0],
        ),
      ),
    ),
    ...endings(rounds.flat()),
  ];
}

function rssOf({ rest, creation }: Leg): number | undefined {
  const found = rest ?? creation;
  return found && megabytes(found.rss);
}

/** Who went when, and who was not in every round. */
function turns(rounds: Results['rounds'], orders: Results['orders'], seed: number | undefined): string[] {
  const times = (name: string) => rounds.flat().filter(({ contender }) => contender === name).length;
  const seldom = (rounds[0] ?? []).filter(({ contender }) => times(contender) < rounds.length);
  const said = [
    ...(orders?.[0] ? [drawn(orders, orders[0], seed)] : []),
    ...seldom.map(({ contender }) => `${contender} raced in ${times(contender)} of ${rounds.length} rounds.`),
  ];
  return said.length === 0 ? [] : [said.join(' ')];
}

function drawn(orders: readonly (readonly string[])[], first: readonly string[], seed: number | undefined): string {
  if (seed === undefined) return `The order was drawn: ${first.join(', ')}; each later round began with another one.`;
  return `Seed ${seed} drew each order anew: ${orders.map((order) => order.join(', ')).join('; ')}.`;
}

/** What is meant by a write; there are numbers from when Events were not counted. */
function writesCounted(legs: readonly Leg[]): string {
  return legs.some(({ creation }) => creation?.events !== undefined)
    ? 'A write is a request that is to change something, whether it does or not, and Events are counted apart.'
    : 'A write is here a change that an observer saw, in W4 of a Deployment alone; Events were not counted.';
}

/** From what a start is timed; there are numbers from when the sandbox that gives kilter the files of a Pod was part of it. */
function startTimed(legs: readonly Leg[]): string {
  return legs.some(({ before }) => before)
    ? 'Start: from when its program is executed to the first child.'
    : 'Start: from the start of the process to the first child; for kilter with what gives it the files of a Pod.';
}

/** How far samples lie apart; there are numbers from when one came upon the other. */
function paced(legs: readonly Leg[]): string {
  return legs.some(({ healing }) => healing?.deleted) ? ', 20 to 50 ms apart' : ', one upon the other';
}

/** What did not end is said, and not left to be guessed from an empty cell. */
export function endings(all: readonly { readonly contender: string; readonly endedEarly?: string }[]): string[] {
  const early = all.flatMap(({ contender, endedEarly }) =>
    endedEarly === undefined ? [] : [`- **${contender}** did not end: ${endedEarly.split('\n')[0]}.`],
  );
  return early.length === 0 ? [] : [early.join('\n')];
}
