import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWorker } from './bundle.js';
import { Crew } from './crew.js';
import { planted } from './planted.js';

export interface ReportOptions {
  readonly root: string;
  readonly seed: number;
  readonly workers: number;
  /** How many schedules a mistake may take to be found. */
  readonly most: number;
  /** Only mistakes with this in their name; nothing is written then. */
  readonly only: string | undefined;
  say(line: string): void;
}

interface Row {
  readonly name: string;
  readonly file: string;
  readonly found: number | undefined;
  readonly violation: string;
}

/** Plants each mistake, looks for it, and writes what was found. Returns the exit code: 1 when one was not found. */
export async function writeReport({ root, seed, workers, most, only, say }: ReportOptions): Promise<number> {
  const rows: Row[] = [];
  for (const [index, mistake] of planted.entries()) {
    if (only !== undefined && !mistake.name.includes(only)) continue;
    const crew = new Crew(await bundleWorker(root, `planted-${index}`, mistake), workers);
    const { failures } = await crew.survey({ seed, from: 0, schedules: most, mostFailures: 1 });
    await crew.dismiss();
    const first = failures[0];
    const violation = (first?.violations[0] ?? '').replace(/^undisturbed: /, '');
    const row = { name: mistake.name, file: mistake.file, found: first && first.index + 1, violation };
    rows.push(row);
    say(
      `${mistake.name}: ${row.found === undefined ? `NOT FOUND in ${most}` : `found by schedule ${row.found}: ${violation}`}`,
    );
  }
  if (only === undefined) writeFileSync(join(root, 'docs/simulation.md'), pageOf(rows, seed, most));
  return rows.every(({ found }) => found !== undefined) ? 0 : 1;
}

function pageOf(rows: readonly Row[], seed: number, most: number): string {
  const table = rows.map(
    ({ name, file, found, violation }) =>
      `| ${name} | \`${file}\` | ${found ?? `not in ${most}`} | ${violation.replaceAll('|', '\\|')} |`,
  );
  return `# Simulated histories

\`npm run simulate -- --schedules 10000 --seed 1\` runs the production controller on the embedded API server, on virtual
time. A seed stands for any number of schedules. Each draws a workload (custom resources and their inputs are created,
edited, deleted and made anew; others change, replace, disown and delete children, and add what is theirs) and faults:
crashes before and after writes, restarts, watches that are held, broken, slow or overtake each other, lists of the past,
refusals, lost calls and lost answers, partitions, processes that are stopped and go on, clocks that jump, a history that is
compacted, and two replicas with a Lease.

After the last fault every history must come to rest within a bounded time, in the state of the undisturbed run of the same
workload. What the API server has must be what the custom resources desire, and their status must say so. On the way nobody
may write without the Lease, change or delete what is not ours, take what others put on a child, delete a child that is
desired, create a second time what lives, write an older edit over a newer one, or come back before a \`Retry-After\` has
passed. At rest nothing may be written, and at the end no timer, listener or rejection may be left.

A schedule that fails is shrunk to a short story. \`--keep\` keeps it in \`test/simulation/schedules/\`, all of which are run in
every test; \`--replay FILE\` repeats one.

## What it finds

\`npm run simulate -- --planted --seed ${seed}\` makes one mistake after the other in a bundled copy of the controller, and
counts the schedules until the mistake shows.

| mistake | in | found by schedule | because |
| --- | --- | --- | --- |
${table.join('\n')}
`;
}
