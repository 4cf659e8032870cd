import { absentPeers } from './left-out.js';
import { own, restingCpu } from './marks.js';
import type { Results } from './results.js';
import { showNumber, spreadOf } from './spread.js';
import { settleSeconds } from './workloads.js';

/** What the marks alone would leave out. */
export function markNotes(results: Results): string[] {
  const { rounds, growth, customResources } = results;
  const grown = growth.find(({ contender }) => contender === own)?.points ?? [];
  const samples = [
    ...(rounds.length === 1
      ? ['the marks of W1, W2 and W4, of RSS after all workloads and of the start, since the race was one round']
      : []),
    ...(grown.some(({ customResources: count }) => count === 1000 || count === 10_000)
      ? ['the marks with 1,000 and with 10,000, since growth measures each size once']
      : []),
  ];
  const raced = rounds.flat().flatMap(({ contender, rest }) => (contender === own && rest ? [rest.cpuPercent] : []));
  const higher = [
    ...grown.map(({ customResources: count, rest }) => [rest.cpuPercent, `with ${showNumber(count)}`] as const),
    ...(raced.length === 0
      ? []
      : [[spreadOf(raced).median, `with ${showNumber(customResources)} after the workloads of the race`] as const]),
  ].filter(([percent]) => percent > restingCpu);
  return [
    ...absent(results),
    ...howJudged(rounds.length),
    ...(samples.length === 0 ? [] : [`On one sample each rest ${samples.join('; and ')}.`]),
    ...(higher.length === 0
      ? []
      : [
          `CPU at rest is held to its mark with 10,000 alone. kilter took more than ${restingCpu} % of a core ` +
            `${higher.map(([percent, where]) => `${where} (${showNumber(percent, 2)} %)`).join(' and ')}.`,
        ]),
  ];
}

/** A comparison that is not there is easily overlooked. */
function absent({ rounds }: Results): string[] {
  const names = absentPeers({ rounds });
  return names.length === 0 ? [] : [`**Without numbers in this report:** ${names.join(', ')}.`];
}

function howJudged(rounds: number): string[] {
  return rounds < 2
    ? []
    : [
        'The median of the rounds is held to a mark, and beside it stands in how many of them it was reached. A p99 is that of the samples of all rounds together. ' +
          'What is asked in every round is not reached when one missed it. A round without a number counts as one that missed.',
      ];
}

/** Under which conditions the numbers hold, whoever they are of. */
export function conditions({ rounds, heals, customResources }: Results): string[] {
  if (rounds.length === 0) return [];
  return [
    [
      'The marks are of an idle machine, and of a process without leader election, metrics and probes, which every contender goes without.',
      'The bench makes the load and watches the outcome on the same cores: what CPU it takes itself stands beside the others, as that of the bench.',
      `W2 begins ${settleSeconds} seconds after W1. When a child is missing within ten seconds after kilter created it, kilter asks the API server for the custom ` +
        'resource before it creates the child again, since the child may be gone because its owner is. ' +
        (heals <= customResources
          ? 'No sample of W2 is so early, so none has this read in it.'
          : 'Where W2 deletes a child again, it may have this read in it.'),
    ].join(' '),
  ];
}
