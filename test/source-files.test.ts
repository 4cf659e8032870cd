import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { codeOf } from './source-imports.js';
import { firstComment, imports, nameOf, roomOf, sources, tests } from './source-tree.js';

/** What code may not say. Comments and strings may. */
const forbidden = {
  any: /(?:[:|&<]|=>|\b(?:as|is|extends|readonly))\s*any\b(?!\s*[:(.])|\bany\s*\[\]|,\s*any\s*>/,
  defaultExport: /^\s*export\s+(default\b|\{[^}]*\bas default\b)/m,
  enum: /^\s*(export\s+|declare\s+|const\s+)*enum\s+\w/m,
  namespace: /^\s*(export\s+|declare\s+)*namespace\s+\w+\s*\{/m,
  environment: /\bprocess\s*\.\s*env\b|\benv\b[^}]*\}\s*=\s*process\b/,
  world: /\bprocess\.|(?<!\.)\bfetch\(|\bimport\(|\bcrypto\.(getRandomValues|randomUUID)|\brandom(UUID|Bytes|Int)\(/,
  machine:
    /\bDate\.now\b|\bnew Date\(\)|\bperformance\.(now|timeOrigin)|\bMath\.random\b|\bset(Timeout|Interval|Immediate)\b/,
};

/** The clock that others are given, and the dates of log lines, which are read beside those of other programs. */
const clocks = ['kube/clock.ts', 'runtime/telemetry/log.ts'];
/** What looks on from another thread, which has a clock of its own. */
const beside = ['runtime/author/lookout.ts'];

describe('a source file', () => {
  const everything = [...sources, ...imports, ...tests];
  const isIn = (names: readonly string[]) => (file: string) => names.includes(roomOf(nameOf(file)));
  const isNotIn = (names: readonly string[]) => (file: string) => !isIn(names)(file);

  it('is named in kebab-case, for what it is', () => {
    const names = [...sources, ...imports, ...tests].map(nameOf);
    expect(
      names.filter((name) => !/^([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+(-[a-z0-9]+)*(\.test|\.d)?\.ts$/.test(name)),
    ).toEqual([]);
    const says = /(^|[/-])(utils?|helpers?|commons?|constants?|managers?|impl)(\.|\/|$)|(^|\/)types(\.ts|\/|$)/;
    expect(names.filter((name) => says.test(name))).toEqual([]);
  });

  it('of more than 250 lines gives a reason in its first comment, which begins "Longer than most files:"', () => {
    const long = everything
      .filter((file) => linesOf(file) > 250)
      .filter((file) => !/^(Longer than most files:|Generated) /.test(firstComment(file)));
    expect(long.map((file) => `${nameOf(file)}: ${linesOf(file)} lines`)).toEqual([]);
  });

  it('of at most 250 lines gives no reason to be longer', () => {
    const short = everything
      .filter((file) => linesOf(file) <= 250)
      .filter((file) => firstComment(file).startsWith('Longer than most files:'));
    expect(short.map((file) => `${nameOf(file)}: ${linesOf(file)} lines`)).toEqual([]);
  });

  it('has at most 100 lines, in the median', () => {
    const lines = sources.map(linesOf).sort((a, b) => a - b);
    expect(lines[Math.floor(lines.length / 2)]).toBeLessThanOrEqual(100);
  });

  const pureRooms = ['kube', 'schema', 'resource', 'compose', 'drift', 'operators'];
  const entries = ['main.ts', 'program', 'cli'];

  it.each<[string, keyof typeof forbidden, readonly string[], readonly string[]]>([
    ['has no any', 'any', everything, []],
    ['has no default export', 'defaultExport', everything, []],
    ['has no enum', 'enum', everything, []],
    ['has no namespace', 'namespace', everything, []],
    ['reads the environment only in an entry', 'environment', sources.filter(isNotIn(entries)), []],
    ['of a pure room knows nothing of the world', 'world', sources.filter(isIn(pureRooms)), []],
    ['of a pure room has its time and its chance from outside', 'machine', sources.filter(isIn(pureRooms)), clocks],
    [
      'of the runtime has its time and its chance from outside',
      'machine',
      sources.filter(isIn(['runtime'])),
      [...clocks, ...beside],
    ],
  ])('%s', (_, rule, files, except) => {
    const offends = (file: string) => forbidden[rule].test(codeOf(readFileSync(file, 'utf8')));
    expect(files.map(nameOf).filter((name, index) => !except.includes(name) && offends(files[index]!))).toEqual([]);
  });

  it.each<[keyof typeof forbidden, string, string]>([
    ['any', 'const a = b as any;', "const a = 'any'; // as any"],
    ['any', 'function f(a: readonly any[]) {}', 'list.any(1)'],
    ['any', 'const a = new Map<string, any>();', 'const { some, any } = found;'],
    ['any', 'let a: any;', 'const a = { any: 1, b: typeof any };'],
    ['defaultExport', 'export default class A {}', "const a = 'export default';"],
    ['defaultExport', 'export { a as default };', 'export { defaults };'],
    ['enum', 'export const enum Colour { Red }', "s.enum(['red'])"],
    ['namespace', 'namespace Colours {}', 'const namespace = { a };'],
    ['environment', `const a = \`in ${'$'}{process.env['HOME']}\`;`, 'const { env } = container; // process.env'],
    ['environment', 'const { env } = process;', 'process.exit()'],
    ['world', 'await fetch(url)', "prefetch('x')"],
    ['world', 'process.stdout.write(line)', 'inProcess.list()'],
    ['machine', 'const now = Date.now();', 'const now = clock.now();'],
    ['machine', 'const now = new Date();', 'const day = new Date(0);'],
    ['machine', 'setTimeout(run, 1)', 'clock.after(1, run)'],
  ])('would be caught by the rule %s with %j, not with %j', (rule, bad, good) => {
    expect(forbidden[rule].test(codeOf(bad))).toBe(true);
    expect(forbidden[rule].test(codeOf(good))).toBe(false);
  });
});

function linesOf(file: string): number {
  return readFileSync(file, 'utf8').trimEnd().split('\n').length;
}
