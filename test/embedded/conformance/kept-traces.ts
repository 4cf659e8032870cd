import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../cluster/package-root.js';
import type { Operation } from './operation.js';
import { type Run, runTrace, type Sides } from './run-trace.js';
import { shownAgain } from './survey.js';

export const keptTracesFolder = join(packageRoot, 'test/embedded/conformance/traces');

export interface KeptTrace {
  readonly file: string;
  readonly operations: readonly Operation[];
}

/** Traces that once showed a difference, in their shortest form. */
export function keptTraces(): readonly KeptTrace[] {
  return readdirSync(keptTracesFolder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const { operations } = JSON.parse(readFileSync(join(keptTracesFolder, file), 'utf8')) as KeptTrace;
      return { file, operations };
    });
}

/** Runs them all, several at a time, and gives those that show a difference each time. */
export async function failingTraces(
  sides: Sides,
  names: () => string,
): Promise<readonly { readonly trace: KeptTrace; readonly run: Run }[]> {
  const left = [...keptTraces()];
  const failing: { readonly trace: KeptTrace; readonly run: Run }[] = [];
  const worker = async () => {
    for (let trace = left.shift(); trace; trace = left.shift()) {
      const run = await runTrace(trace.operations, sides, names);
      const found = await shownAgain(run, trace.operations, sides, names);
      if (found.length > 0) failing.push({ trace, run: { ...run, found } });
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return failing.sort((a, b) => (a.trace.file < b.trace.file ? -1 : 1));
}
