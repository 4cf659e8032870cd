/** `npm run bench`: measures kilter beside others, and writes docs/benchmarks.md. */
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join, relative } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { seededRandom } from '../../src/testing/seeded-random.js';
import { startBenchPlane } from './bench-plane.js';
import type { Contender } from './contender.js';
import { type EmbeddedSize, embeddedCosts } from './embedded.js';
import { type Growth, type GrowthPlan, grow } from './growth.js';
import { growthPanels } from './growth-panels.js';
import { bareContender, kilterContender } from './kilter-contender.js';
import { buildPeer, peerNames } from './peers.js';
import { plot } from './plot.js';
import { commitHere, partsIn } from './provenance.js';
import type { Leg, Size } from './race.js';
import { report } from './report.js';
import { askedFolder, reportFolder } from './report-folder.js';
import { jsonOf, type Results, refuseUnlike, type Setting, withEarlier } from './results.js';
import { drawOrders, runRounds } from './rounds.js';
import { writeCosts } from './write-costs.js';

interface Flags {
  readonly quick: boolean;
  readonly only?: readonly string[];
  readonly peers?: readonly string[];
  readonly once: readonly string[];
  readonly rounds?: number;
  readonly seed: number;
  readonly rest?: number;
  readonly sizes?: readonly number[];
  readonly report?: string;
  readonly resume: boolean;
}

interface Plan {
  readonly race: Size & { readonly rounds: number };
  readonly growth: GrowthPlan;
  readonly writes: { readonly count: number; readonly rounds: number };
  readonly embedded: EmbeddedSize;
  readonly renderRounds: number;
}

const full: Plan = {
  race: { customResources: 1000, heals: 200, restSeconds: 120, limitSeconds: 240, rounds: 5 },
  growth: { sizes: [100, 1000, 10_000, 50_000], restSeconds: 120, limitSeconds: 240 },
  writes: { count: 500, rounds: 5 },
  embedded: { applies: 4000, listed: 10_000, watchers: 200, watchedChanges: 100, rounds: 3 },
  renderRounds: 9,
};
const quick: Plan = {
  race: { customResources: 200, heals: 40, restSeconds: 5, limitSeconds: 150, rounds: 1 },
  growth: { sizes: [100, 1000], restSeconds: 10, limitSeconds: 150 },
  writes: { count: 200, rounds: 1 },
  embedded: { applies: 500, listed: 10_000, watchers: 200, watchedChanges: 100, rounds: 1 },
  renderRounds: 1,
};
const parts = ['race', 'growth', 'writes', 'embedded', 'render'];
/** Those that are raced at every size; the others would take hours to get to 50,000. */
const growing = ['kilter', 'controller-runtime'];

const list = (text: string): string[] => text.split(',').filter((each) => each !== '');
const someOf = (all: readonly string[]) => (text: string) => {
  const unknown = list(text).find((each) => !all.includes(each));
  if (unknown !== undefined) throw new InvalidArgumentError(`There is no ${unknown}.`);
  return list(text);
};
const command = new Command('bench')
  .description('Measures kilter beside a bare loop of writes and operators on other frameworks.')
  .option('--quick', 'a small version; with --peers controller-runtime in about three minutes', false)
  .option('--only <parts>', `some of ${parts.join(', ')}, separated by commas`, someOf(parts))
  .option(
    '--peers <names>',
    `who races beside kilter and the bare loop: some of ${peerNames().join(', ')}, separated by commas; default: all that can be built`,
    someOf(peerNames()),
  )
  .option(
    '--once <peers>',
    'those of them that race in the first round only, since they are slow',
    someOf(peerNames()),
    [],
  )
  .option('--rounds <number>', 'how often everybody races; fewer take less time, and say less', Number)
  .option('--seed <number>', 'draws the orders of the race; default: another one each time', Number, randomInt(10_000))
  .option('--rest <seconds>', 'how long nothing happens in W6; default: 120, and with --quick 5 and 10', Number)
  .option('--sizes <numbers>', 'how many custom resources there are as it grows', (text) => list(text).map(Number))
  .option(
    '--report <folder>',
    'where the report is written; default: docs, and with --quick, --only, or if it is not one to publish, build/bench',
  )
  .option('--resume', 'parts that are not measured now are taken from the numbers of the report that is there', false)
  .action((flags: Flags) => run(flags));
await command.parseAsync();

async function run(flags: Flags): Promise<void> {
  const began = performance.now();
  const lines: string[] = [];
  const progress = (line: string): void => {
    process.stderr.write(`${String(Math.round((performance.now() - began) / 1000)).padStart(5)} s  ${line}\n`);
    if (line.includes(' is left out: ')) lines.push(line);
  };
  const plan = planOf(flags);
  const isWhole = !flags.quick && flags.only === undefined;
  const asked = askedFolder(flags.report, isWhole);
  const setting: Setting = {
    machine: `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}`,
    node: process.versions.node,
  };
  // Before anything is measured: what has nothing to resume from says so at once.
  const earlier = flags.resume
    ? (JSON.parse(readFileSync(join(asked, 'benchmarks.json'), 'utf8')) as Results)
    : undefined;
  if (earlier) refuseUnlike(setting, earlier);
  const asks = (part: string) => flags.only === undefined || flags.only.includes(part);
  const [commit, date] = [commitHere(), new Date().toISOString().slice(0, 10)];
  const scratch = mkdtempSync(join(tmpdir(), 'kilter-bench-'));

  const contenders: Contender[] = [];
  const once: string[] = [];
  let kubernetes = '';
  let orders: string[][] | undefined;
  const measured = { rounds: [] as Leg[][], growth: [] as Growth[], writeCosts: [] as Results['writeCosts'] };
  if (['race', 'growth', 'writes'].some(asks)) {
    for (const name of flags.peers ?? peerNames()) {
      const peer = await buildPeer(name, progress);
      if (!peer) continue;
      contenders.push(peer);
      if (flags.once.includes(name)) once.push(peer.name);
    }
    contenders.unshift(kilterContender(), bareContender());
    const bench = await startBenchPlane(progress);
    kubernetes = bench.plane.version;
    try {
      if (asks('writes')) {
        progress('what a write costs');
        measured.writeCosts = await writeCosts(bench, plan.writes.count, plan.writes.rounds);
      }
      if (asks('race')) {
        const names = contenders.map(({ name }) => name);
        orders = drawOrders(names, plan.race.rounds, once, seededRandom(flags.seed));
        progress(`seed ${flags.seed} draws ${orders.map((order) => order.join(', ')).join('; ')}`);
        measured.rounds = await runRounds(bench, contenders, { orders, size: plan.race, folder: scratch }, progress);
      }
    } finally {
      await bench.stop();
    }
    if (asks('growth')) {
      for (const contender of contenders.filter(({ name }) => growing.includes(name)))
        measured.growth.push(await growAlone(contender, { ...plan.growth, folder: scratch }, progress));
    }
    rmSync(scratch, { recursive: true });
  }
  const numbersNow: Results = {
    commands: [['npm run bench', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].join(' ')],
    ...setting,
    kubernetes,
    contenders: contenders.map(({ name, version, notes }) => ({ name, version, notes })),
    leftOut: lines,
    customResources: plan.race.customResources,
    heals: plan.race.heals,
    ...measured,
    servers: asks('embedded') ? await embeddedCosts(plan.embedded, progress) : [],
    render: asks('render') ? render(plan.renderRounds, progress) : '',
    ...(orders ? { orders, seed: flags.seed } : {}),
  };
  const measuredNow: Results = {
    ...numbersNow,
    measured: partsIn(numbersNow).map((part) => ({
      ...{ part, commit, date, ...restIn(part, plan) },
      ...(flags.quick ? { isQuick: true } : {}),
    })),
  };
  const results = earlier ? withEarlier(measuredNow, earlier) : measuredNow;
  const { folder, because } = reportFolder(asked, results);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'benchmarks.json'), jsonOf(results));
  writeFileSync(join(folder, 'benchmarks.md'), report(results, 'benchmarks-growth.svg'));
  writeFileSync(join(folder, 'benchmarks-growth.svg'), plot(growthPanels(results.growth)));
  // Of a peer that fails the report tells; if we fail, nobody may overlook it.
  if ([...results.rounds.flat(), ...results.growth].some((part) => part.contender === 'kilter' && part.endedEarly))
    process.exitCode = 1;
  if (because !== undefined) {
    progress(`the report is not one to publish, and what is in docs is left as it was: ${because}`);
    process.exitCode = 1;
  }
  progress(`the report is ${join(relative(process.cwd(), folder), 'benchmarks.md')}`);
}

function planOf({ quick: isQuick, rounds, sizes, rest }: Flags): Plan {
  const plan = isQuick ? quick : full;
  const { race, growth } = plan;
  return {
    ...plan,
    race: { ...race, rounds: rounds ?? race.rounds, restSeconds: rest ?? race.restSeconds },
    growth: { ...growth, sizes: sizes ?? growth.sizes, restSeconds: rest ?? growth.restSeconds },
  };
}

function restIn(part: string, { race, growth }: Plan): { readonly restSeconds?: number } {
  if (part === 'race') return { restSeconds: race.restSeconds };
  return part.startsWith('growth') ? { restSeconds: growth.restSeconds } : {};
}

/** On a control plane of its own: it is sooner up than tens of thousands of objects are deleted. */
async function growAlone(
  contender: Contender,
  plan: GrowthPlan & { readonly folder: string },
  progress: (line: string) => void,
): Promise<Growth> {
  const bench = await startBenchPlane(progress);
  try {
    const growth = await grow(bench, contender, plan, progress);
    if (growth.endedEarly !== undefined) progress(`${contender.name} did not end: ${growth.endedEarly}`);
    return growth;
  } finally {
    await bench.stop();
  }
}

function render(rounds: number, progress: (line: string) => void): string {
  progress('rendering');
  return execFileSync(process.execPath, [join(import.meta.dirname, 'render.js'), String(rounds)], { encoding: 'utf8' });
}
