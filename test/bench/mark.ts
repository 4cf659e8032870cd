import { percentile, showNumber, showSpread, spreadOf } from './spread.js';

/** What kilter is held to, and what it reached. There is one for all that is asked, whether it was measured or not. */
export interface Mark {
  readonly what: string;
  readonly asked: string;
  readonly reached: string;
  /** What was not measured was not reached. */
  readonly isMeasured: boolean;
  readonly isReached: boolean;
  /** In how many rounds it was reached, of how many. */
  readonly rounds: { readonly reached: number; readonly of: number };
}

/** A number for each round, or none where a round came to none. */
export type ByRound = readonly (number | undefined)[];

/**
 * The median is held to `asked`. A round without a number counts as the worst there can be: whoever ended early did not
 * reach what others did.
 */
export function atLeast(what: string, asked: number, values: ByRound, digits: number): Mark {
  const reaches = (value: number) => value >= asked;
  const median = middleOf(values, Number.NEGATIVE_INFINITY);
  return markOf(what, `≥ ${asked}`, values, digits, reaches, median !== undefined && reaches(median));
}

export function atMost(what: string, asked: number, values: ByRound, digits: number): Mark {
  const reaches = (value: number) => value <= asked;
  const median = middleOf(values, Number.POSITIVE_INFINITY);
  return markOf(what, `≤ ${asked}`, values, digits, reaches, median !== undefined && reaches(median));
}

/** Each round is held to `asked`: it is of what is never to happen, and a median would hide that it did. */
export function neverAbove(what: string, asked: number, values: ByRound, digits: number): Mark {
  const reaches = (value: number) => value <= asked;
  const always = values.every((value) => value !== undefined && reaches(value));
  return markOf(what, `≤ ${asked} in every round`, values, digits, reaches, always);
}

/** Samples of one round, or what was kept of them when they were not: their 99th percentile. */
export interface Samples {
  readonly slowest: number;
  readonly all?: readonly number[];
}

/**
 * The slowest in a hundred of all rounds together is held to `asked`: of the two hundred samples of one round it is the
 * last but one, and chance. A round without samples counts as one of samples that never came.
 */
export function slowestAtMost(
  what: string,
  asked: number,
  rounds: readonly (Samples | undefined)[],
  { samples, digits }: { readonly samples: number; readonly digits: number },
): Mark {
  const byRound = atMost(
    what,
    asked,
    rounds.map((round) => round?.slowest),
    digits,
  );
  if (!byRound.isMeasured) return byRound;
  if (rounds.some((round) => round && !round.all))
    return { ...byRound, reached: `${byRound.reached}; samples not recorded` };
  const came = rounds.flatMap((round) => round?.all ?? []);
  const missing = Array<number>(samples * rounds.filter((round) => round === undefined).length);
  const together = percentile([...came, ...missing.fill(Number.POSITIVE_INFINITY)], 0.99);
  const told = `${showNumber(percentile(came, 0.99), digits)} of ${showNumber(came.length)} samples`;
  return {
    ...byRound,
    reached: rounds.length === 1 ? told : `${told}; by round ${byRound.reached}`,
    isReached: together <= asked,
  };
}

/** The last cell of its row. */
export function verdictOf({ isMeasured, isReached, rounds }: Mark): string {
  if (!isMeasured) return '**not measured**';
  if (rounds.of === 1) return isReached ? 'yes' : '**no**';
  return `${isReached ? 'reached' : '**no**'}, in ${rounds.reached} of ${rounds.of} rounds`;
}

function middleOf(values: ByRound, worst: number): number | undefined {
  return values.length === 0 ? undefined : spreadOf(values.map((value) => value ?? worst)).median;
}

function markOf(
  what: string,
  asked: string,
  values: ByRound,
  digits: number,
  reaches: (value: number) => boolean,
  isReached: boolean,
): Mark {
  const measured = values.flatMap((value) => value ?? []);
  const isMeasured = measured.length > 0;
  return {
    what,
    asked,
    reached: isMeasured ? showSpread(spreadOf(measured), digits) : '',
    isMeasured,
    isReached: isMeasured && isReached,
    rounds: { reached: measured.filter(reaches).length, of: values.length },
  };
}
