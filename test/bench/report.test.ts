import { describe, expect, it } from '@jest/globals';
import { marksOf } from './marks.js';
import { plot } from './plot.js';
import type { Leg } from './race.js';
import { report } from './report.js';
import { type Results, withEarlier } from './results.js';
import { percentile, showSpread, spreadOf } from './spread.js';

const leg = (contender: string, perSecond: number, apiMilliseconds: number): Leg => ({
  contender,
  startMilliseconds: 250,
  creation: { perSecond, apiMilliseconds, etcdMilliseconds: 1, operatorMilliseconds: 0.8, writes: 3, rss: 80 },
});

const storm = { seconds: 4, writesPerChild: 1, operatorMilliseconds: 1 };

const results = (rounds: Results['rounds']): Results => ({
  commands: ['npm run bench'],
  machine: 'a machine',
  kubernetes: 'v1.36.3',
  node: '20',
  contenders: [{ name: 'kilter', version: '1', notes: 'Ours.' }],
  leftOut: ['kube-rs is left out: there is no cargo'],
  customResources: 1000,
  heals: 200,
  rounds,
  growth: [],
  writeCosts: [],
  servers: [],
  render: '',
});

describe('the report of the bench', () => {
  it('takes ratios within a round, so that a slow round is slow for both', () => {
    const rounds = [
      [leg('kilter', 100, 4), leg('controller-runtime', 50, 4)],
      [leg('kilter', 10, 8), leg('controller-runtime', 5, 4)],
    ];
    const marks = marksOf(results(rounds));
    expect(marks.find(({ what }) => what === 'W1, rate ÷ controller-runtime')).toMatchObject({
      reached: '2.00',
      isReached: true,
    });
    expect(marks.find(({ what }) => what === 'W1, API-server CPU ÷ controller-runtime')).toMatchObject({
      reached: '1.50 (1.00–2.00)',
      isReached: false,
    });
  });

  it('tells Events beside the writes that are held to a mark, or that they were not counted', () => {
    const counted = { ...leg('kilter', 40, 4), storm: { ...storm, eventsPerChild: 1 } };
    expect(report(results([[counted]]), 'plot.svg')).toContain(
      '| W4, writes for each child, beside Events | ≤ 1 | 1.00, and 1.00 Events | yes |',
    );
    const old = { ...leg('kilter', 40, 4), storm };
    expect(report(results([[old]]), 'plot.svg')).toContain('| ≤ 1 | 1.00; Events were not counted | yes |');
  });

  it('says plainly what was not reached and who was left out', () => {
    const text = report(results([[leg('kilter', 40, 4), leg('controller-runtime', 50, 4)]]), 'plot.svg');
    expect(text).toContain('Not reached: W1, rate ÷ controller-runtime.');
    expect(text).toContain('- kube-rs is left out: there is no cargo.');
  });

  it('puts parts together that were measured one after the other, and says so', () => {
    const [kilter, other] = ['kilter', 'controller-runtime'].map((contender) => ({ contender, points: [] }));
    const old = [{ ...kilter!, endedEarly: 'it was slow' }, other!];
    const before = { ...results([[leg('kilter', 40, 4)]]), render: 'rendered', growth: old };
    const growth = [kilter!];
    const now = { ...results([]), commands: ['npm run bench -- --only growth'], growth, leftOut: [] };
    const both = withEarlier(now, before);
    expect(both.growth).toEqual([kilter, other]);
    expect(both).toMatchObject({ rounds: before.rounds, render: 'rendered', leftOut: before.leftOut });
    expect(report(both, 'plot.svg')).toContain('by `npm run bench` and `npm run bench -- --only growth`');
    // Measured a second time, the part is of the same command.
    expect(withEarlier(now, both).commands).toEqual(both.commands);
    expect(() => withEarlier(now, { ...before, machine: 'another' })).toThrow('of another, and these of a machine');
  });

  it('keeps of which commit each part is, and what a contender was in each', () => {
    const [old, young] = ['Kept all.', 'Keeps less.'].map((notes) => [{ name: 'kilter', version: '1', notes }]);
    const race = { part: 'race', commit: 'aaa1111', date: '2026-01-01', restSeconds: 120 };
    const growth = { part: 'growth of kilter', commit: 'bbb2222 with changes', date: '2026-01-02' };
    const before = { ...results([[leg('kilter', 40, 4)]]), contenders: old!, measured: [race] };
    const grown = [{ contender: 'kilter', points: [] }];
    const now = { ...results([]), contenders: young!, growth: grown, measured: [growth] };
    const text = report(withEarlier(now, before), 'plot.svg');
    expect(text).toContain(
      '| race | aaa1111 | 2026-01-01 | 120 |\n| growth of kilter | bbb2222 with changes | 2026-01-02 |  |',
    );
    expect(text).toContain('- **kilter** (1; race). Kept all.\n- **kilter** (1; growth of kilter). Keeps less.');
    const { measured: _, ...unknown } = before;
    expect(report(withEarlier(now, unknown), 'plot.svg')).toContain('| race | not kept |  |  |');
    expect(report(unknown, 'plot.svg')).toContain('At which commits this was measured was not kept.');
    const again = withEarlier(
      { ...now, growth: [], rounds: before.rounds, measured: [race] },
      withEarlier(now, before),
    );
    expect(again.contenders).toMatchObject([{ notes: 'Keeps less.', parts: ['growth of kilter', 'race'] }]);
  });

  it('tells the order that was drawn, and who was not in every round', () => {
    const [ours, slow] = [leg('kilter', 40, 4), leg('kopf', 20, 8)];
    const orders = [['kopf', 'kilter'], ['kilter']];
    const text = report({ ...results([[ours, slow], [ours]]), orders }, 'plot.svg');
    expect(text).toContain(
      'The order was drawn: kopf, kilter; each later round began with another one. kopf raced in 1 of 2 rounds.',
    );
    const anew = report({ ...results([[ours, slow], [ours]]), orders, seed: 7 }, 'plot.svg');
    expect(anew).toContain('Seed 7 drew each order anew: kopf, kilter; kilter. kopf raced in 1 of 2 rounds.');
  });

  it('holds the embedded server to the real one of the same round', () => {
    const costs = { startedMilliseconds: [], listMilliseconds: [9], watchMilliseconds: [9] };
    const servers = [
      { ...costs, server: 'embedded, in process', readyMilliseconds: [150, 210], appliesPerSecond: [9000, 12_000] },
      { ...costs, server: 'embedded, over HTTPS', readyMilliseconds: [310, 310], appliesPerSecond: [1500, 1500] },
      { ...costs, server: 'kube-apiserver and etcd', readyMilliseconds: [2500, 2500], appliesPerSecond: [1000, 1000] },
    ];
    const text = report({ ...results([]), servers }, 'plot.svg');
    expect(text).toContain(
      '| embedded server in process, ready, ms | ≤ 200 | 180 (150–210) | reached, in 1 of 2 rounds |',
    );
    expect(text).toContain('| embedded server over HTTPS, ready, ms | ≤ 300 | 310 | **no**, in 0 of 2 rounds |');
    expect(text).toContain(
      '| embedded server in process, applies ÷ kube-apiserver | ≥ 10 | 10.5 (9.0–12.0) | reached, in 1 of 2 rounds |',
    );
  });

  it('tells of one that did not end, with what it had reached', () => {
    const early = {
      ...leg('kopf', 40, 4),
      endedEarly: 'the time was up before all Deployments were as they had been\nits log',
    };
    const text = report(results([[leg('controller-runtime', 50, 4), early]]), 'plot.svg');
    expect(text).toContain('- **kopf** did not end: the time was up before all Deployments were as they had been.\n');
    expect(text).toContain('| kopf | 40 | 0.80 |');
  });

  it('holds what grew to marks of its own', () => {
    const point = (customResources: number, calls: number) => ({
      customResources,
      restart: { seconds: 3, cpuMilliseconds: 900, writes: 0, lists: 20, calls },
      rest: { callsPerMinute: 0, cpuPercent: 0.1, rss: 70 },
    });
    const reached = (points: readonly ReturnType<typeof point>[]) =>
      marksOf({ ...results([]), growth: [{ contender: 'kilter', points }] })
        .filter(({ isMeasured }) => isMeasured)
        .map(({ what, isReached }) => [what, isReached]);
    expect(reached([point(1000, 0), point(10_000, 1)])).toEqual([
      ['W6, calls a minute with 10,000', true],
      ['W6, CPU with 10,000, % of a core', true],
      ['W7, writes of a restart with 10,000', true],
      ['W7, calls beside lists and watches with 10,000', false],
      ['RSS with 1,000, MB', true],
      ['RSS with 10,000, MB', true],
    ]);
    expect(reached([])).toEqual([]);
  });

  it('says what rests on one sample, and where the CPU at rest is higher than where it is held to a mark', () => {
    const rest = { callsPerMinute: 0, rss: 70 };
    const restart = { seconds: 3, cpuMilliseconds: 900, writes: 0, lists: 0, calls: 0 };
    const points = [0.4, 0.2].map((cpuPercent, index) => ({
      customResources: [1000, 10_000][index]!,
      restart,
      rest: { ...rest, cpuPercent },
    }));
    const round = [{ ...leg('kilter', 40, 4), rest: { ...rest, cpuPercent: 0.9 } }];
    const once = report({ ...results([round]), growth: [{ contender: 'kilter', points }] }, 'plot.svg');
    expect(once).toContain('The race was one round: no spread.');
    expect(once).toContain('On one sample each rest the marks of W1,');
    expect(once).toContain('with 1,000 (0.40 %) and with 1,000 after the workloads of the race (0.90 %).');
    const twice = report(results([round, round].map(([each]) => [{ ...each!, rest: points[1]!.rest }])), 'plot.svg');
    expect(twice).not.toMatch(/no spread|one sample|CPU at rest is held/);
  });

  it('has a row for each mark, and a table of nothing else, for what was not measured', () => {
    const text = report(results([]), 'plot.svg');
    expect(text).toContain(
      '0 of 26 marks were reached in this run. Not measured, which counts as not reached: W1, rate ÷',
    );
    expect(text).toContain('| W2, changed, p99 ÷ controller-runtime | ≤ 1 in every round |  | **not measured** |');
    expect(text.match(/^\| --- \|/gm)).toHaveLength(1);
  });

  it('says which comparisons it is without', () => {
    const failed = { contender: 'kube-rs', endedEarly: 'it ended with code 1' };
    const text = report(results([[leg('kilter', 40, 4), leg('client-node', 9, 9), failed]]), 'plot.svg');
    expect(text).toContain('**Without numbers in this report:** controller-runtime, kube-rs.');
  });

  it('tells the CPU of the bench beside that of the others, or that it was not recorded', () => {
    const old = leg('kilter', 40, 4);
    const young = { ...old, creation: { ...old.creation!, benchMilliseconds: 2.5, events: 0 } };
    expect(report(results([[old]]), 'plot.svg')).toContain(
      '| kilter | 40 |  | 4.00 |  | 1.00 | 0.80 | not recorded | 3.00 |  |',
    );
    expect(report(results([[young]]), 'plot.svg')).toContain(
      '| kilter | 40 |  | 4.00 |  | 1.00 | 0.80 | 2.50 | 3.00 | 0.00 |',
    );
  });
});

describe('a spread', () => {
  it.each([
    [[3], '3.0'],
    [[1, 3], '2.0 (1.0–3.0)'],
    [[9, 1, 2], '2.0 (1.0–9.0)'],
    [[1000, 3000], '2,000.0 (1,000.0–3,000.0)'],
  ])('of %j is shown as %s', (values, shown) => {
    expect(showSpread(spreadOf(values), 1)).toBe(shown);
  });

  it('is refused of nothing', () => {
    expect(() => spreadOf([])).toThrow('nothing was measured');
  });

  it('has its slowest in a hundred at the 99th percentile', () => {
    const values = Array.from({ length: 200 }, (_, index) => 200 - index);
    expect([percentile(values, 0.5), percentile(values, 0.99)]).toEqual([101, 199]);
  });
});

describe('the plot', () => {
  it('draws each series over both logarithmic axes, and escapes names', () => {
    const svg = plot([{ title: 'RSS', series: [{ name: 'a<b', points: [10, 100].map((x) => ({ x, y: x * 2 })) }] }]);
    expect(svg).toContain('a&lt;b: 20 at 10');
    expect(svg).toContain('<title>RSS; over the number of custom resources</title>');
    const [path = ''] = /points="[^"]+"/.exec(svg) ?? [];
    const [from, to] = path.match(/[\d.]+,[\d.]+/g)!.map((point) => point.split(',').map(Number));
    expect(to![0]).toBeGreaterThan(from![0]!);
    expect(to![1]).toBeLessThan(from![1]!);
  });

  it('is empty, and whole, without points', () => {
    expect(plot([{ title: 'RSS', series: [{ name: 'kilter', points: [] }] }])).not.toMatch(/NaN|Infinity|undefined/);
  });
});
