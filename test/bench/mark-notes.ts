import { own, restingCpu } from './marks.js';
import type { Results } from './results.js';
import { showNumber, spreadOf } from './spread.js';

/** What the marks alone would leave out. */
export function markNotes({ rounds, growth, customResources }: Results): string[] {
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
    ...(samples.length === 0 ? [] : [`On one sample each rest ${samples.join('; and ')}.`]),
    ...(higher.length === 0
      ? []
      : [
          `CPU at rest is held to its mark with 10,000 alone. kilter took more than ${restingCpu} % of a core ` +
            `${higher.map(([percent, where]) => `${where} (${showNumber(percent, 2)} %)`).join(' and ')}.`,
        ]),
  ];
}
