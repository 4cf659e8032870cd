import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Action } from '../../src/drift/change-set.js';
import { operators } from '../../src/operators/all.js';
import { flagsOf } from '../../src/program/flags.js';
import { LoopWatch } from '../../src/runtime/process/loop-watch.js';
import { Metrics } from '../../src/runtime/telemetry/metrics/metrics.js';
import { VirtualClock } from '../../src/testing/virtual-clock.js';
import { packageRoot } from '../cluster/package-root.js';

const page = join(packageRoot, 'docs/operations.md');

const table = (heads: readonly string[], rows: readonly (readonly string[])[]) =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

function flagTable(): string {
  const rows = flagsOf(operators.map(({ name }) => name)).map((option) => {
    const { flags, description, envVar, defaultValue, defaultValueDescription, argChoices } = option;
    const isNone = defaultValue instanceof Map || defaultValue === undefined;
    const shown = isNone ? '' : `\`${defaultValueDescription ?? defaultValue}\``;
    const choices = argChoices ? `: ${argChoices.join(', ')}` : '';
    return [`\`${flags.replaceAll('|', '\\|')}\``, shown, envVar ? `\`${envVar}\`` : '', `${description}${choices}`];
  });
  return table(['flag', 'default', 'environment', 'what it is'], rows);
}

function metricsTable(): string {
  const clock = new VirtualClock();
  const metrics = new Metrics({ clock, apiServer: 'api' });
  metrics.loop(new LoopWatch(clock));
  metrics.leadership('kilter', () => true);
  const all = metrics.registry.getMetricsAsArray() as unknown as readonly {
    readonly name: string;
    readonly help: string;
    readonly labelNames: readonly string[];
    readonly constructor: { readonly name: string };
  }[];
  const rows = all.map(({ name, help, labelNames, constructor: { name: type } }) => [
    `\`${name}\``,
    type.toLowerCase(),
    labelNames.map((label) => `\`${label}\``).join(', '),
    help,
  ]);
  // Theirs, then ours, then those of any process.
  const rank = ([name = '']: readonly string[]) =>
    /^`(process|nodejs)_/.test(name) ? 2 : name.startsWith('`kilter_') ? 1 : 0;
  rows.sort((a, b) => rank(a) - rank(b) || (a[0]! < b[0]! ? -1 : 1));
  return table(['metric', 'type', 'labels', 'what it counts'], rows);
}

describe('the page about running a controller', () => {
  it.each([
    ['flags', flagTable()],
    ['metrics', metricsTable()],
  ])('has all %s, as the code has them', (name, expected) => {
    const text = readFileSync(page, 'utf8');
    const block = new RegExp(`(<!-- ${name} -->\n)([\\s\\S]*?)(<!-- /${name} -->)`);
    if (process.env['UPDATE_GOLDEN']) {
      writeFileSync(
        page,
        text.replace(block, (_, start, __, end) => `${start}\n${expected}\n\n${end}`),
      );
    }
    expect(block.exec(readFileSync(page, 'utf8'))?.[2]?.trim()).toBe(expected);
  });

  it('names all that becomes of a child, as it is counted', () => {
    const counted: Readonly<Record<Exclude<Action, 'unchanged'>, true>> = {
      ...{ created: true, adopted: true, configured: true, corrected: true, pruned: true, skipped: true },
    };
    const [row = ''] = /^\| `kilter_apply_total`.*$/m.exec(readFileSync(page, 'utf8')) ?? [];
    expect(Object.keys(counted).filter((action) => !row.includes(action))).toEqual([]);
  });

  it('names only metrics that there are', () => {
    const known = metricsTable();
    const named = [
      ...readFileSync(page, 'utf8').matchAll(/\b((?:kilter|workqueue|leader_election)_[a-z_]+?)(_bucket)?\b/g),
    ]
      .map(([, name = '']) => name)
      .filter((name) => name !== 'kilter_');
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !known.includes(`\`${name}\``))).toEqual([]);
  });

  it('says of the environment what --help says', () => {
    const text = readFileSync(page, 'utf8');
    const program = join(packageRoot, 'src/program');
    const source = readdirSync(program)
      .map((name) => readFileSync(join(program, name), 'utf8'))
      .join('\n');
    const read = [...source.matchAll(/process\.env\['([A-Z_]+)'\]|\b([A-Z]{3,}_[A-Z_]+|KUBECONFIG)\b(?=[,: }])/g)].map(
      ([, one, other]) => one ?? other,
    );
    expect(read).toContain('POD_NAME');
    const kubelet = /^KUBERNETES_SERVICE/;
    expect(read.filter((name) => !kubelet.test(String(name)) && !text.includes(`\`${name}\``))).toEqual([]);
  });
});
