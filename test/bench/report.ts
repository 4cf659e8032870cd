import { embeddedMarks } from './embedded-marks.js';
import { type Mark, verdictOf } from './mark.js';
import { conditions, markNotes } from './mark-notes.js';
import { marksOf } from './marks.js';
import { megabytes } from './megabytes.js';
import { provenance } from './provenance.js';
import { endings, race } from './report-race.js';
import type { Results } from './results.js';
import { showNumber, showSpread, spreadOf } from './spread.js';
import { table } from './table.js';
import { settleSeconds } from './workloads.js';

/** The report of a run, as Markdown. `plotName` is the file of the plot beside it. */
export function report(results: Results, plotName: string): string {
  return [
    '# Benchmarks',
    `Written by ${results.commands.map((command) => `\`${command}\``).join(' and ')}, and not by hand. ${results.machine}; Kubernetes ${results.kubernetes}; Node ${results.node}. ` +
      `${results.rounds.length === 1 ? 'The race was one round: no spread. Elsewhere a' : 'A'} number is the median over the rounds of the run, with the least and the most in parentheses. ` +
      'Contenders take turns within a round, and a ratio is taken within a round: the machine is as noisy for the one as for the other. Before the first the ' +
      'bare loop goes once, so that nobody has the API server cold. CPU is counted by the kernel for each process.',
    ...marks(results),
    ...race(results),
    ...growth(results, plotName),
    ...writes(results),
    ...servers(results),
    ...(results.render === '' ? [] : ['## Rendering', results.render.trim()]),
    ...provenance(results),
    ...contenders(results),
  ]
    .join('\n\n')
    .concat('\n');
}

function marks(results: Results): string[] {
  const all = [...marksOf(results), ...embeddedMarks(results.servers)];
  return [
    '## What was asked, and what was reached',
    summary(all),
    table(
      ['mark', 'asked', 'reached', ''],
      all.map((mark) => [mark.what, mark.asked, mark.reached, verdictOf(mark)]),
    ),
    ...markNotes(results),
    ...conditions(results),
  ];
}

function summary(all: readonly Mark[]): string {
  const names = (marks: readonly Mark[]) => marks.map(({ what }) => what).join('; ');
  const reached = all.filter(({ isReached }) => isReached);
  if (reached.length === all.length) return `All ${all.length} marks were reached in this run.`;
  const missed = all.filter(({ isReached, isMeasured }) => isMeasured && !isReached);
  const unknown = all.filter(({ isMeasured }) => !isMeasured);
  return [
    `${reached.length} of ${all.length} marks were reached in this run.`,
    ...(missed.length > 0 ? [`Not reached: ${names(missed)}.`] : []),
    ...(unknown.length > 0 ? [`Not measured, which counts as not reached: ${names(unknown)}.`] : []),
  ].join(' ');
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
        'RSS MB',
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
          showNumber(megabytes(rest.rss)),
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
      ...all.map(({ name, version, notes, parts = [] }) => {
        // One that was measured as two things is told apart by where it was which.
        const where = all.filter((each) => each.name === name).length > 1 ? `; ${parts.join(', ')}` : '';
        return `- **${name}** (${version}${where}). ${notes}`;
      }),
      ...leftOut.map((line) => `- ${line}.`),
    ].join('\n'),
  ];
}
