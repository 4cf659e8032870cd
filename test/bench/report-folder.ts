import { join, relative, resolve } from 'node:path';
import { packageRoot } from '../cluster/package-root.js';
import { absentPeers } from './left-out.js';
import { rival } from './marks.js';
import type { Results } from './results.js';

/** Where reports are that are not published. */
const unpublished = join(packageRoot, 'build/bench');

/** The folder that is asked for: as it is where it is absolute, and otherwise below the project. */
export function askedFolder(report: string | undefined, isWhole: boolean): string {
  if (report !== undefined) return resolve(packageRoot, report);
  return isWhole ? join(packageRoot, 'docs') : unpublished;
}

/** Where a report is written, and why that is not where it was asked for. */
export interface ReportFolder {
  readonly folder: string;
  readonly because?: string;
}

type Judged = Pick<Results, 'rounds' | 'orders' | 'growth' | 'measured'>;

/** In docs is what is published, over which nothing is written that is not to be. */
export function reportFolder(asked: string, results: Judged): ReportFolder {
  const isPublished = relative(asked, join(packageRoot, 'docs')) === '';
  const because = isPublished ? refusalToPublish(results) : undefined;
  return because === undefined ? { folder: asked } : { folder: unpublished, because };
}

/** Compared is with controller-runtime, since that is what kilter is held to, at full size, and everybody has come to an end. */
function refusalToPublish(results: Judged): string | undefined {
  const small = results.measured?.find(({ isQuick }) => isQuick);
  if (small) return `part of it, ${small.part}, is of --quick`;
  if (absentPeers(results).includes(rival)) return `it has no numbers of ${rival}`;
  const { rounds, orders = [], growth } = results;
  const early = [...rounds.flat(), ...growth].find(({ endedEarly }) => endedEarly !== undefined);
  if (early) return `${early.contender} did not end: ${early.endedEarly!.split('\n')[0]}`;
  const brokenOff = orders.findIndex((names, round) =>
    names.some((name) => !rounds[round]?.some(({ contender }) => contender === name)),
  );
  return brokenOff === -1 ? undefined : `round ${brokenOff + 1} of ${orders.length} was broken off`;
}
