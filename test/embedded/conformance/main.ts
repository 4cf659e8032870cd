/**
 * `npm run conformance -- --operations 100000 --seed S --kinds deployments,services --against embedded --typed`; Ctrl-C
 * ends it early, with all that was found by then.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startControlPlane } from '../../cluster/control-plane.js';
import { HttpTarget } from './http-target.js';
import { installDefinitions } from './install-definitions.js';
import { keptTracesFolder } from './kept-traces.js';
import { onTrial } from './on-trial.js';
import { showStory } from './show-trace.js';
import { type Finding, isSteady, shortest, survey, tracePrefixes } from './survey.js';

const { values: options } = parseArgs({
  options: {
    operations: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    kinds: { type: 'string', default: '' },
    against: { type: 'string', default: 'embedded' },
    /** Any field that the types of the built-in kinds have, instead of those that the grammars name. */
    typed: { type: 'boolean', default: false },
    parallel: { type: 'string', default: '16' },
    /** How many differences are shrunk to their shortest story. */
    shrink: { type: 'string', default: '40' },
    /** Keep these stories as regression tests. */
    write: { type: 'boolean', default: false },
    /** A file for the summary, beside the screen. */
    report: { type: 'string' },
  },
});

const lines: string[] = [];
const stories = new Map<string, number>();
function say(line: string): void {
  lines.push(line);
  process.stdout.write(`${line}\n`);
}

const plane = await startControlPlane({ progress: (line) => process.stderr.write(`${line}\n`) });
const there = new HttpTarget('the real server', plane.url, plane.adminToken, plane.ca);
let exitCode = 1;
try {
  const trial = await onTrial(options.against, plane);
  const sides = { here: trial.target, there };
  await installDefinitions(there);
  const names = tracePrefixes(options.against === 'real' ? 'r' : 'x');
  const start = performance.now();
  let shown = start;
  const known = new Set<string>();
  // Who has seen enough is told what was found so far.
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const {
    operations,
    traces,
    once,
    findings: all,
  } = await survey(
    sides,
    {
      operations: Number(options.operations),
      seed: options.seed,
      typed: options.typed,
      kinds: options.kinds === '' ? [] : options.kinds.split(','),
      parallel: Number(options.parallel),
      signal: stop.signal,
      progress(done, found) {
        if (performance.now() - shown < 2000) return;
        shown = performance.now();
        const rate = Math.round((done * 1000) / (shown - start));
        process.stderr.write(`${done} operations, ${rate}/s, ${found.size} differences\n`);
        for (const { aspect, seed } of found.values()) {
          if (known.has(aspect)) continue;
          known.add(aspect);
          process.stderr.write(`  ${aspect} (seed ${seed})\n`);
        }
      },
    },
    names,
  );
  const rate = Math.round((operations * 1000) / (performance.now() - start));
  const findings: Finding[] = [];
  for (const finding of all) {
    const isKept = findings.length >= 100 || (await isSteady(finding, sides, names));
    if (isKept) findings.push(finding);
  }
  say(
    `${operations} operations in ${traces} traces of seed ${options.seed}, ${rate}/s: ${findings.length} differences${once === 0 ? '' : `, and ${once} that did not show again`}`,
  );
  for (const [index, finding] of findings.entries()) {
    await tell(finding, index, index < Number(options.shrink) ? await shortest(finding, sides, names) : undefined);
  }
  exitCode = findings.length === 0 ? 0 : 1;
  await trial.stop();
} finally {
  await there.close();
  await plane.stop();
}
if (options.report) writeFileSync(options.report, `${lines.join('\n')}\n`);
process.exit(exitCode);

async function tell(finding: Finding, index: number, short: Awaited<ReturnType<typeof shortest>>): Promise<void> {
  const where = [...finding.where].sort(([, a], [, b]) => b - a);
  const places = where.slice(0, 6).map(([place, count]) => `${place} ${count}`);
  if (where.length > 6) places.push(`and ${where.length - 6} more`);
  say(`\n${index + 1}. ${finding.count} × ${finding.aspect}`);
  say(`  in ${places.join(', ')}; seed ${finding.seed}`);
  if (!short && index < Number(options.shrink)) say('  it was not to be had again: a busy machine may be the reason');
  const example = short?.run.found.find(({ aspect }) => aspect === finding.aspect) ?? finding.example;
  if (short) {
    const story = showStory(short.operations, short.run.codes);
    const same = stories.get(story);
    say(same === undefined ? story : `  the same story as ${same}`);
    if (same === undefined) {
      stories.set(story, index + 1);
      if (options.write) keep(finding, short.operations);
    }
  }
  say(`  here:  ${example.here}`);
  say(`  there: ${example.there}`);
}

function keep({ aspect, seed }: Finding, operations: readonly unknown[]): void {
  const slug = aspect
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
  let hash = 0;
  for (const letter of JSON.stringify(operations)) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0;
  const file = `${slug}-${(hash >>> 0).toString(36)}.json`;
  writeFileSync(join(keptTracesFolder, file), `${JSON.stringify({ difference: aspect, seed, operations }, null, 2)}\n`);
}
