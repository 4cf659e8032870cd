/** `npm run simulate -- --schedules 10000 --seed 1`; `--replay FILE` for one; `--planted` for mistakes that must be found. */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { bundleWorker } from './bundle.js';
import { Crew, type Survey } from './crew.js';
import { keepSchedule, readSchedule } from './kept-schedules.js';
import { writeReport } from './planted-report.js';
import { storyOf } from './story.js';
import { classOf } from './try-schedule.js';
import type { Failure } from './worker.js';

interface Flags {
  readonly schedules: number;
  readonly seed?: number;
  readonly from: number;
  readonly seconds?: number;
  readonly workers: number;
  readonly replay?: string;
  readonly keep: boolean;
  readonly planted: boolean;
  readonly only?: string;
}

const whole = (text: string): number => {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It is not a whole number.');
  return Number(text);
};
const options = new Command('simulate')
  .description(
    'Makes histories of the production controller by chance, in virtual time, and judges each: docs/simulation.md.',
  )
  .option('--schedules <number>', 'how many to run; of planted mistakes, the most for each', whole, 1000)
  .option('--seed <number>', 'what they are drawn from; default: another one each time', whole)
  .option('--from <number>', 'the number of the first schedule of the seed', whole, 0)
  .option('--seconds <number>', 'begin none after so long, however many are left', whole)
  .option('--workers <number>', 'how many threads run them', whole, availableParallelism())
  .option('--replay <file>', 'play one schedule that was kept, and tell its story')
  .option('--keep', 'keep what fails in test/simulation/schedules, and not only in build/simulation/failed', false)
  .option('--planted', 'plant mistakes that must be found, and fill the table of docs/simulation.md', false)
  .option('--only <text>', 'plant only mistakes with this in their name, and fill nothing')
  .parse()
  .opts<Flags>();

const { seed = Date.now() % 1_000_000, seconds = Number.POSITIVE_INFINITY } = options;

const root = process.cwd();
if (!existsSync(join(root, 'test/simulation/worker.ts'))) throw new Error('run this in the root of the repository');
const say = (line: string) => process.stdout.write(`${line}\n`);

if (options.planted) process.exitCode = await findPlanted();
else if (options.replay !== undefined) process.exitCode = await replay(options.replay);
else process.exitCode = await survey();

async function findPlanted(): Promise<number> {
  const { workers, schedules: most, only } = options;
  return writeReport({ root, seed, workers, most, only, say });
}

async function replay(file: string): Promise<number> {
  const { schedule } = readSchedule(file);
  const crew = new Crew(await bundleWorker(root, 'worker'), 1);
  const { violations } = await crew.try(schedule);
  await crew.dismiss();
  for (const line of storyOf(schedule)) say(line);
  for (const violation of violations) say(`  ! ${violation}`);
  if (violations.length === 0) say('nothing is wrong');
  return violations.length === 0 ? 0 : 1;
}

async function survey(): Promise<number> {
  const { from, schedules, workers } = options;
  const crew = new Crew(await bundleWorker(root, 'worker'), workers);
  const start = performance.now();
  const passed = () => (performance.now() - start) / 1000;
  const rate = ({ done }: Survey) => `${(done / passed()).toFixed(1)}/s`;
  let shown = 0;
  let said = 0;
  say(`seed ${seed}`);
  const all = await crew.survey({
    seed,
    from,
    schedules,
    mostFailures: 200,
    isOver: () => passed() > seconds,
    progress(done) {
      // At once, since a long run may be ended before its own end.
      for (const { index, violations } of done.failures.slice(said))
        process.stderr.write(`${index} failed: ${violations[0]}\n`);
      said = done.failures.length;
      if (passed() - shown < 5) return;
      shown = passed();
      process.stderr.write(`${done.done} schedules to ${done.upTo}, ${rate(done)}, ${done.failures.length} failed\n`);
    },
  });
  const days = (all.seconds / 86_400).toFixed(1);
  say(
    `${all.done} schedules of seed ${seed} at ${rate(all)}: ${all.writes} writes in ${days} days, ${all.failures.length} failed`,
  );
  say('of each kind of fault, how many befell something, of how many:');
  for (const [fault, { drawn, befell }] of Object.entries(all.faults))
    say(`  ${fault.padEnd(12)} ${befell} of ${drawn}`);
  const kinds = new Map<string, Failure[]>();
  for (const failure of all.failures) {
    const kind = classOf(failure.violations[0] ?? '');
    kinds.set(kind, [...(kinds.get(kind) ?? []), failure]);
  }
  for (const [kind, failures] of kinds)
    say(`${failures.length} schedules, the first is ${failures[0]?.index}: ${kind}`);
  for (const [kind, failures] of kinds) await tell(crew, seed, kind, failures);
  await crew.dismiss();
  return all.failures.length === 0 ? 0 : 1;
}

async function tell(crew: Crew, seed: number, kind: string, failures: readonly Failure[]): Promise<void> {
  const shortest = failures.reduce((a, b) => (lengthOf(a) <= lengthOf(b) ? a : b));
  const { schedule, violations } = await crew.shrink(shortest.schedule, shortest.violations);
  const story = storyOf(schedule);
  const indexes = failures.map(({ index }) => index);
  say(`\n${kind} (${failures.length} schedules: ${indexes.slice(0, 8).join(', ')})`);
  for (const line of story) say(`  ${line}`);
  for (const violation of violations.slice(0, 4)) say(`  ! ${violation}`);
  const name = kind
    .toLowerCase()
    .replace(/[^a-z]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
  const folder = options.keep ? 'test/simulation/schedules' : 'build/simulation/failed';
  const file = keepSchedule(join(root, folder), { name, violation: violations[0] ?? '', story, schedule });
  say(`  npm run simulate -- --replay ${file.slice(root.length + 1)}`);
  // The same before it was shrunk.
  say(`  npm run simulate -- --seed ${seed} --from ${shortest.index} --schedules 1`);
}

function lengthOf({ schedule }: Failure): number {
  return schedule.workload.length + 2 * schedule.faults.length + schedule.replicas;
}
