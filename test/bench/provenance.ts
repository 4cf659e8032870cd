import { execFileSync } from 'node:child_process';
import { packageRoot } from '../cluster/package-root.js';
import type { Results } from './results.js';
import { showNumber } from './spread.js';
import { table } from './table.js';

/** Of what a part of the numbers is. */
export interface Measured {
  readonly part: string;
  /** `e9bc742`, or `e9bc742 with changes`. */
  readonly commit: string;
  readonly date: string;
  /** How long W6 lasted, in a part that has one. */
  readonly restSeconds?: number;
  /** True of one of the small version. */
  readonly isQuick?: boolean;
}

/** The commit of the sources here. What a run of the bench itself writes is no change of them. */
export function commitHere(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: packageRoot, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    const commit = git('rev-parse', '--short', 'HEAD');
    return git('status', '--porcelain', '--', '.', ':(exclude)docs/benchmarks*') === ''
      ? commit
      : `${commit} with changes`;
  } catch {
    return 'unknown: no checkout of git';
  }
}

/** The parts that have numbers in `results`. Growth is measured anew for each contender. */
export function partsIn({ rounds, growth, writeCosts, servers, render }: Omit<Results, 'contenders'>): string[] {
  return [
    ...(rounds.length > 0 ? ['race'] : []),
    ...growth.map(({ contender }) => growthOf(contender)),
    ...(writeCosts.length > 0 ? ['writes'] : []),
    ...(servers.length > 0 ? ['embedded'] : []),
    ...(render === '' ? [] : ['render']),
  ];
}

/** Those of them in which this contender was measured. */
export function partsOf({ rounds, growth }: Pick<Results, 'rounds' | 'growth'>, name: string): string[] {
  return [
    ...(rounds.flat().some(({ contender }) => contender === name) ? ['race'] : []),
    ...(growth.some(({ contender }) => contender === name) ? [growthOf(name)] : []),
  ];
}

const growthOf = (contender: string): string => `growth of ${contender}`;

/** What was measured at which commit and on how busy a machine, as the report tells it. */
export function provenance(results: Results): string[] {
  const parts = partsIn(results);
  if (parts.length === 0) return [];
  return [...commits(results, parts), ...machineBefore(results)];
}

/** The marks are of an idle machine: whether it was one is for the reader to judge. */
function machineBefore({ rounds, growth }: Results): string[] {
  const legs = rounds.flat();
  const turns = [
    ...legs.map((leg) => ({ ...leg, load: leg.before?.load })),
    ...growth.map((each) => ({ ...each, load: each.loadBefore })),
  ];
  if (turns.length === 0) return [];
  const [greatest] = turns.filter(({ load }) => load !== undefined).sort((a, b) => b.load! - a.load!);
  const unknown = turns.filter(({ load }) => load === undefined).length;
  const busy = legs.filter(({ before }) => before?.isServerQuiet === false).map(({ contender }) => contender);
  const said = [
    ...(greatest
      ? [
          `The greatest load average of a minute before a contender began was ${showNumber(greatest.load!, 2)}, ` +
            `before ${greatest.contender}; whoever was there before has a part in it.`,
        ]
      : []),
    ...(unknown > 0
      ? [`How busy the machine was before ${unknown} of the ${turns.length} turns of contenders was not recorded.`]
      : []),
    ...(busy.length > 0
      ? [`The API server had not come to rest from whoever was before when it was the turn of ${busy.join(', ')}.`]
      : []),
  ];
  return [said.join(' ')];
}

function commits({ measured }: Results, parts: readonly string[]): string[] {
  if (measured === undefined) return ['At which commits this was measured was not kept.'];
  return [
    '## What was measured when',
    'Where the commit is known, etcd told the API server of its progress every five seconds, as kubeadm has it.',
    table(
      ['part', 'commit', 'date', 'W6, seconds'],
      parts.map((part) => {
        const known = measured.find((each) => each.part === part);
        return [part, known?.commit ?? 'not kept', known?.date ?? '', String(known?.restSeconds ?? '')];
      }),
    ),
  ];
}
