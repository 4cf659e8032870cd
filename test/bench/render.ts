/**
 * What it costs to render 1,000 objects in a cold process, beside plain cdk8s rendering the same objects.
 *
 *     npm run build && node build/test/bench/render.js [rounds]
 *
 * The sides take turns within each round, so that a noisy machine is noisy for all of them.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { megabytes } from './megabytes.js';
import { type Cost, type Side, sides } from './render-sides.js';

interface Run extends Cost {
  readonly wallMilliseconds: number;
}

const scratch = mkdtempSync(join(tmpdir(), 'kilter-bench-'));
const rounds = Number(process.argv[2] ?? 9);
try {
  for (const side of sides) runOnce(side);
  refuseUnequal();
  const runs = new Map<Side, Run[]>(sides.map((side) => [side, []]));
  for (let round = 0; round < rounds; round++) {
    const order = sides.map((_, index) => sides[(index + round) % sides.length]!);
    for (const side of order) runs.get(side)!.push(runOnce(side));
  }
  report(runs);
} finally {
  rmSync(scratch, { recursive: true });
}

function runOnce(side: Side): Run {
  const directory = join(scratch, side);
  rmSync(directory, { recursive: true, force: true });
  const started = performance.now();
  const output = execFileSync(process.execPath, [join(import.meta.dirname, 'render-sides.js'), side, directory], {
    encoding: 'utf8',
  });
  const wallMilliseconds = performance.now() - started;
  return { wallMilliseconds, ...(JSON.parse(output) as Cost) };
}

/** A race is only one if everybody runs to the same place: the objects of each side are compared, but for sync annotations. */
function refuseUnequal(): void {
  const [first, ...others] = sides.map((side) => ({ side, objects: objectsIn(join(scratch, side)) }));
  if (first!.objects.size !== 1000) throw new Error(`${first!.side} rendered ${first!.objects.size} objects`);
  for (const { side, objects } of others) {
    if (!isDeepStrictEqual(objects, first!.objects))
      throw new Error(`${side} rendered other objects than ${first!.side}`);
  }
}

function objectsIn(directory: string): ReadonlyMap<string, unknown> {
  const objects = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) => parseAllDocuments(readFileSync(join(directory, file), 'utf8')))
    .map((document) => document.toJS() as { kind: string; metadata: { name: string; annotations?: object } });
  for (const { metadata } of objects) delete metadata.annotations;
  return new Map(
    objects
      .map((object) => [`${object.kind}/${object.metadata.name}`, object] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function report(runs: ReadonlyMap<Side, readonly Run[]>): void {
  const base = runs.get('cdk8s-a-file-an-object')!;
  console.log(
    `1,000 objects, cold process, Node ${process.versions.node}, ${rounds} rounds; median (lowest–highest)\n`,
  );
  console.log('| side | wall ms | ÷ cdk8s | CPU ms | ÷ cdk8s | peak RSS MB |');
  console.log('| --- | --- | --- | --- | --- | --- |');
  for (const [side, own] of runs) {
    const wall = own.map(({ wallMilliseconds }) => wallMilliseconds);
    const cpu = own.map(({ cpuMilliseconds }) => cpuMilliseconds);
    // Ratios are taken within a round, where both sides met the same machine.
    const wallRatio = own.map((run, round) => run.wallMilliseconds / base[round]!.wallMilliseconds);
    const cpuRatio = own.map((run, round) => run.cpuMilliseconds / base[round]!.cpuMilliseconds);
    const rss = own.map(({ rssMebibytes }) => megabytes(rssMebibytes));
    console.log(
      `| ${side} | ${spread(wall, 0)} | ${spread(wallRatio, 2)} | ${spread(cpu, 0)} | ${spread(cpuRatio, 2)} | ${spread(rss, 0)} |`,
    );
  }
}

function spread(values: readonly number[], digits: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)]!;
  return `${median.toFixed(digits)} (${sorted[0]!.toFixed(digits)}–${sorted.at(-1)!.toFixed(digits)})`;
}
