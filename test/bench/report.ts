import { embeddedMarks } from './embedded-marks.js';
import { apiCpu, marksOf, rate, ratiosTo } from './marks.js';
import type { Leg } from './race.js';
import type { Results } from './results.js';
import { showNumber, showSpread, spreadOf } from './spread.js';
import { settleSeconds } from './workloads.js';

type Row = readonly string[];

/** The report of a run, as Markdown. `plotName` is the file of the plot beside it. */
export function report(results: Results, plotName: string): string {
  return [
    '# Benchmarks',
    `Written by ${results.commands.map((command) => `\`${command}\``).join(' and ')}, and not by hand. ${results.machine}; Kubernetes ${results.kubernetes}; Node ${results.node}. ` +
      'A number is the median over the rounds of the run, with the least and the most in parentheses. Contenders take turns within a ' +
      'round, and a ratio is taken within a round: the machine is as noisy for the one as for the other. Before the first the ' +
      'bare loop goes once, so that nobody has the API server cold. CPU is counted by the kernel for each process.',
    ...marks(results),
    ...race(results),
    ...growth(results, plotName),
    ...writes(results),
    ...servers(results),
    ...(results.render === '' ? [] : ['## Rendering', results.render.trim()]),
    ...contenders(results),
  ]
    .join('\n\n')
    .concat('\n');
}

function marks(results: Results): string[] {
  const all = [...marksOf(results), ...embeddedMarks(results.servers)];
  if (all.length === 0) return [];
  const missed = all.filter(({ isReached }) => !isReached);
  return [
    '## What was asked, and what was reached',
    missed.length === 0
      ? `All ${all.length} marks were reached in this run.`
      : `${all.length - missed.length} of ${all.length} marks were reached in this run. Not reached: ${missed.map(({ what }) => what).join('; ')}.`,
    table(
      ['mark', 'asked', 'reached', ''],
      all.map(({ what, asked, reached, isReached }) => [what, asked, reached, isReached ? 'yes' : '**no**']),
    ),
  ];
}

function race({ rounds, customResources, heals }: Results): string[] {
  if (rounds.length === 0) return [];
  const names = (rounds[0] ?? []).map(({ contender }) => contender);
  const row = (name: string, ...cells: ((leg: Leg) => [number | undefined, number])[]): Row => [
    name,
    ...cells.map((cell) => {
      const found = rounds.flat().flatMap((leg) => (leg.contender === name ? [cell(leg)] : []));
      const values = found.flatMap(([value]) => value ?? []);
      return values.length === 0 ? '' : showSpread(spreadOf(values), found[0]?.[1] ?? 0);
    }),
  ];
  const ratio = (name: string, value: (leg: Leg) => number | undefined): string => {
    const ratios = ratiosTo(rounds, name, 'controller-runtime', value);
    return ratios.length === 0 ? '' : showSpread(spreadOf(ratios), 2);
  };
  return [
    `## ${showNumber(customResources)} custom resources, ${rounds.length} ${rounds.length === 1 ? 'round' : 'rounds'}`,
    'Each contender works alone on the same control plane, with sixteen custom resources at once, as a service account with the RBAC ' +
      'that kilter renders. A Memcached has a Deployment, a headless Service and a status.',
    '**W1: from creation to converged, status included.** Rate, API-server and etcd CPU, own CPU and writes for each custom resource.',
    table(
      ['', 'a second', '÷ controller-runtime', 'API server ms', '÷ controller-runtime', 'etcd ms', 'own ms', 'writes'],
      names.map((name) => {
        const [, perSecond = '', api = '', etcd = '', ownCpu = '', count = ''] = row(
          name,
          (leg) => [leg.creation?.perSecond, 0],
          (leg) => [leg.creation?.apiMilliseconds, 2],
          (leg) => [leg.creation?.etcdMilliseconds, 2],
          (leg) => [leg.creation?.operatorMilliseconds, 2],
          (leg) => [leg.creation?.writes, 2],
        );
        return [name, perSecond, ratio(name, rate), api, ratio(name, apiCpu), etcd, ownCpu, count];
      }),
    ),
    `**W2: one child deleted, or one field of one changed, ${heals} times each**, until an independent watch sees it back, in ms, from ${settleSeconds} seconds after W1. ` +
      '**W4: a field changed in all Deployments at once**, until all are back.',
    table(
      ['', 'deleted p50', 'p99', 'changed p50', 'p99', 'W4 s', 'writes a child', 'own ms a child'],
      names
        .map((name) =>
          row(
            name,
            (leg) => [leg.healing?.deletedMedian, 1],
            (leg) => [leg.healing?.deletedSlowest, 1],
            (leg) => [leg.healing?.changedMedian, 1],
            (leg) => [leg.healing?.changedSlowest, 1],
            (leg) => [leg.storm?.seconds, 2],
            (leg) => [leg.storm?.writesPerChild, 2],
            (leg) => [leg.storm?.operatorMilliseconds, 2],
          ),
        )
        .filter((cells) => cells[1] !== ''),
    ),
    '**W6: at rest. W7: restarted, with nothing drifted**, until it has nothing left to do; a list that comes as a watch is none, and watches are not counted. ' +
      'Start: from the start of the process to the first child.',
    table(
      ['', 'calls a minute', 'CPU %', 'RSS MiB', 'restart s', 'CPU ms', 'writes', 'lists', 'calls', 'start ms'],
      names.map((name) =>
        row(
          name,
          (leg) => [leg.rest?.callsPerMinute, 0],
          (leg) => [leg.rest?.cpuPercent, 2],
          (leg) => [leg.rest?.rss ?? leg.creation?.rss, 0],
          (leg) => [leg.restart?.seconds, 2],
          (leg) => [leg.restart?.cpuMilliseconds, 0],
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

/** What did not end is said, and not left to be guessed from an empty cell. */
function endings(all: readonly { readonly contender: string; readonly endedEarly?: string }[]): string[] {
  const early = all.flatMap(({ contender, endedEarly }) =>
    endedEarly === undefined ? [] : [`- **${contender}** did not end: ${endedEarly.split('\n')[0]}.`],
  );
  return early.length === 0 ? [] : [early.join('\n')];
}

function growth({ growth: all }: Results, plotName: string): string[] {
  if (all.length === 0) return [];
  return [
    '## Growth',
    'With so many converged custom resources, and twice as many children, all written beforehand as the contender would have: ' +
      `what it costs to start, until there is nothing left to do, and to be there, from ${settleSeconds} seconds later.`,
    table(
      [
        '',
        'custom resources',
        'RSS MiB',
        'in sync after s',
        'CPU of it s',
        'writes',
        'lists',
        'calls',
        'CPU % at rest',
        'calls a minute',
      ],
      all.flatMap(({ contender, points }) =>
        points.map(({ customResources, rest, restart }) => [
          contender,
          showNumber(customResources),
          showNumber(rest.rss),
          showNumber(restart.seconds, 2),
          showNumber(restart.cpuMilliseconds / 1000, 2),
          showNumber(restart.writes),
          showNumber(restart.lists),
          showNumber(restart.calls),
          showNumber(rest.cpuPercent, 2),
          showNumber(rest.callsPerMinute),
        ]),
      ),
    ),
    ...endings(all),
    `![RSS, time to in sync and CPU at rest over the number of custom resources](${plotName})`,
  ];
}

function writes({ writeCosts }: Results): string[] {
  if (writeCosts.length === 0) return [];
  return [
    '## What a write costs the API server',
    'By how it is asked for, in milliseconds of its CPU.',
    table(
      ['', '', 'ms'],
      writeCosts.map(({ what, how, apiMilliseconds }) => [what, how, showSpread(spreadOf(apiMilliseconds), 2)]),
    ),
  ];
}

function servers({ servers: all }: Results): string[] {
  if (all.length === 0) return [];
  return [
    '## The embedded API server beside the real one',
    'Ready: from the start of the process to the first answer, in process of a program that imports `kilter/testing` from the package and calls `startCluster`, over HTTPS of one bundled file; started: from the call, in a process that has loaded it. Applies: new Deployments, sixteen at a time, by the same client, of a server that has made as many before. List: ' +
      '10,000 ConfigMaps in one answer, parsed. Watch: from the first of 100 changes until 200 watchers have heard of all.',
    table(
      ['', 'ready ms', 'started ms', 'applies a second', 'list ms', '200 watchers ms'],
      all.map((costs) => [
        costs.server,
        ...[
          costs.readyMilliseconds,
          costs.startedMilliseconds,
          costs.appliesPerSecond,
          costs.listMilliseconds,
          costs.watchMilliseconds,
        ].map((values) => (values.length === 0 ? '' : showSpread(spreadOf(values), 0))),
      ]),
    ),
  ];
}

function contenders({ contenders: all, leftOut }: Results): string[] {
  if (all.length === 0) return [];
  return [
    '## Contenders',
    [
      ...all.map(({ name, version, notes }) => `- **${name}** (${version}). ${notes}`),
      ...leftOut.map((line) => `- ${line}.`),
    ].join('\n'),
  ];
}

function table(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
