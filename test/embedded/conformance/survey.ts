import { traceOf } from './generator.js';
import type { Operation } from './operation.js';
import { type Found, type Run, runTrace, type Sides } from './run-trace.js';
import { shrink } from './shrink.js';

/** All that was seen of one aspect. */
export interface Finding {
  readonly aspect: string;
  count: number;
  /** How often, by verb and resource. */
  readonly where: Map<string, number>;
  /** The shortest trace that showed it, up to where it did. */
  seed: string;
  operations: readonly Operation[];
  example: Found;
}

export interface SurveyOptions {
  readonly operations: number;
  readonly seed: string;
  readonly kinds?: readonly string[];
  /** Of any field that the types of the kinds have. */
  readonly typed?: boolean;
  /** How many traces run at a time. */
  readonly parallel?: number;
  /** Ends it before its time. */
  readonly signal?: AbortSignal;
  readonly progress?: (operations: number, findings: ReadonlyMap<string, Finding>) => void;
}

export interface Survey {
  readonly operations: number;
  readonly traces: number;
  /** How many differences did not show again. */
  readonly once: number;
  readonly findings: readonly Finding[];
}

/** Names that no other trace has, all of one length. */
export function tracePrefixes(run: string): () => string {
  let count = 0;
  return () => `t${run}${(count++).toString(36).padStart(5, '0')}`;
}

/** Runs traces of fresh seeds until so many operations were run, and gathers the differences by their aspects. */
export async function survey(
  sides: Sides,
  { operations, seed, kinds = [], typed = false, parallel = 16, signal, progress }: SurveyOptions,
  names: () => string,
): Promise<Survey> {
  const findings = new Map<string, Finding>();
  let [done, traces, once] = [0, 0, 0];
  const worker = async () => {
    while (done < operations && !signal?.aborted) {
      const trace = traceOf(`${seed}/${traces++}`, kinds, { typed });
      const run = await runTrace(trace.operations, sides, names);
      done += run.operations;
      const found = await shownAgain(run, trace.operations, sides, names);
      once += run.found.length - found.length;
      gather(findings, trace.seed, trace.operations, { ...run, found });
      progress?.(done, findings);
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return { operations: done, traces, once, findings: [...findings.values()].sort((a, b) => b.count - a.count) };
}

/** On a machine with too much to do, a second passes between two answers more than once. */
const timesAgain = 3;

/**
 * Those of the differences that show again whenever the same is done again. The others are of a second that passed on one
 * server and not yet on the other, which decides what is written, or of the order of a Go map.
 */
export async function shownAgain(
  first: Run,
  operations: readonly Operation[],
  sides: Sides,
  names: () => string,
): Promise<readonly Found[]> {
  let found = first.found;
  for (let tries = 0; tries < timesAgain && found.length > 0; tries++) {
    const again = await runTrace(operations, sides, names);
    found = found.filter(({ aspect }) => again.found.some((each) => each.aspect === aspect));
  }
  return found;
}

function gather(findings: Map<string, Finding>, seed: string, operations: readonly Operation[], run: Run): void {
  for (const found of run.found) {
    const { operation, aspect } = found;
    const isEvent = operation.verb === 'watch' && operations.length === run.operations;
    const story = isEvent ? operations : operations.slice(0, operations.indexOf(operation) + 1);
    const known = findings.get(aspect);
    const finding = known ?? { aspect, count: 0, where: new Map(), seed, operations: story, example: found };
    if (!known) findings.set(aspect, finding);
    finding.count++;
    const where = `${operation.patch ?? operation.verb} ${operation.resource.split('/').at(-1)}${operation.subresource ? `/${operation.subresource}` : ''}`;
    finding.where.set(where, (finding.where.get(where) ?? 0) + 1);
    if (story.length < finding.operations.length) Object.assign(finding, { seed, operations: story, example: found });
  }
}

/** The shortest story of a finding, with how it went; undefined when it cannot be had again. */
export async function shortest(
  finding: Finding,
  sides: Sides,
  names: () => string,
): Promise<{ readonly operations: readonly Operation[]; readonly run: Run } | undefined> {
  const shows = async (operations: readonly Operation[]) => {
    const { found } = await runTrace(operations, sides, names);
    return found.some(({ aspect }) => aspect === finding.aspect);
  };
  if (!(await shows(finding.operations))) return undefined;
  const operations = await shrink(finding.operations, shows);
  return { operations, run: await runTrace(operations, sides, names) };
}

/**
 * Whether the real server answers itself alike where the embedded one differed. The order of a Go map decides some
 * messages: which of several unknown fields is told, and in what order problems of a custom resource come. It also decides
 * what becomes of a strategic patch that says two things of one list.
 */
export async function isSteady(finding: Finding, { there }: Sides, names: () => string): Promise<boolean> {
  // A Go map of few entries comes in one order seven times of eight.
  const tries = finding.aspect.startsWith('order of ') ? 60 : 8;
  for (let count = 0; count < tries; count++) {
    const { found } = await runTrace(finding.operations, { here: there, there }, names);
    if (found.some(({ operation }) => operation.id === finding.example.operation.id)) return false;
  }
  return true;
}
