import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { packageRoot } from './cluster/package-root.js';
import { codeOf, importsOf, reachableFrom } from './source-imports.js';

/**
 * Who may import whom: a room is a folder of src/, or one of the files at its root. A row may name a room, a single
 * file of one, or imports/. A new room is a decision: a row here, and a page in docs/decisions/.
 */
const rooms: Readonly<Record<string, readonly string[]>> = {
  kube: [],
  schema: ['kube'],
  resource: ['kube', 'schema'],
  compose: ['kube', 'schema', 'resource'],
  drift: ['kube'],
  client: ['kube'],
  runtime: ['kube', 'schema', 'resource', 'compose', 'drift', 'client'],
  install: ['kube', 'resource', 'compose'],
  gitops: ['kube', 'schema', 'resource', 'compose', 'drift', 'install'],
  // Of the client only what it stands in for: the interface, and the errors that belong to it.
  embedded: ['kube', 'schema', 'client/cluster.ts', 'client/api-error.ts'],
  operators: ['index.ts', 'imports'],
  cli: ['index.ts', 'main.ts', 'controller.ts', 'imports', 'kube', 'schema', 'resource', 'compose', 'drift'].concat([
    'client',
    'runtime',
    'install',
    'gitops',
    'embedded',
    'operators',
  ]),
  // The vocabulary of an author, who neither installs nor runs anything with it.
  'index.ts': ['kube', 'schema', 'resource', 'compose'],
  // Entries also need words: errors to print, and the machine's clock to hand out.
  'main.ts': ['operators', 'install', 'gitops', 'kube'],
  'controller.ts': ['operators', 'runtime', 'client', 'kube'],
  imports: ['index.ts'],
};

/** Which rooms may use which package. Who is not named here is not used by any. */
const packages: Readonly<Record<string, readonly string[]>> = {
  constructs: ['resource', 'compose', 'install', 'gitops', 'operators', 'main.ts', 'cli', 'imports'],
  cdk8s: ['resource', 'compose', 'install', 'gitops', 'main.ts', 'cli'],
  'cdk8s-plus-28': ['install'],
  re2js: ['schema'],
  '@marcbachmann/cel-js': ['schema'],
  undici: ['client'],
  '@kubernetes/client-node': ['client'],
  pino: ['runtime'],
  'prom-client': ['runtime'],
  commander: ['cli', 'controller.ts'],
  yaml: ['cli', 'gitops'],
  'node:path': ['client', 'gitops', 'main.ts', 'cli'],
  'node:url': ['main.ts', 'cli'],
  'node:crypto': ['compose', 'drift', 'embedded', 'runtime'],
  'node:os': ['runtime', 'controller.ts'],
  'node:fs': ['gitops', 'main.ts', 'controller.ts', 'cli'],
  'node:fs/promises': ['client', 'cli'],
  // Probes and metrics are served; nobody but the client asks.
  'node:events': ['controller.ts'],
  'node:http': ['runtime'],
  'node:v8': ['runtime'],
  'node:perf_hooks': ['runtime'],
};

/** What code may not say. Comments and strings may. */
const forbidden = {
  any: /(?<![\w.])any(?!\w|\s*:|\s*\()/,
  defaultExport: /^\s*export\s+(default\b|\{[^}]*\bas default\b)/m,
  enum: /^\s*(export\s+|declare\s+|const\s+)*enum\s+\w/m,
  namespace: /^\s*(export\s+|declare\s+)*namespace\s+\w+\s*\{/m,
  environment: /\bprocess\s*\.\s*env\b|\benv\b[^}]*\}\s*=\s*process\b/,
  world: /\bprocess\.|(?<!\.)\bfetch\(|\bimport\(|\bcrypto\.(getRandomValues|randomUUID)|\brandom(UUID|Bytes|Int)\(/,
  machine:
    /\bDate\.now\b|\bnew Date\(\)|\bperformance\.(now|timeOrigin)|\bMath\.random\b|\bset(Timeout|Interval|Immediate)\b/,
};

/** The clock that others are given, and the dates of log lines, which are read beside those of other programs. */
const clocks = ['kube/clock.ts', 'runtime/log.ts'];

const sourceFolder = join(packageRoot, 'src');
const sources = typescriptBelow(sourceFolder);
const imports = typescriptBelow(join(packageRoot, 'imports'));
const tests = typescriptBelow(join(packageRoot, 'test'));

describe('the import table', () => {
  it('has a row for every room that there is', () => {
    const there = readdirSync(sourceFolder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.name.endsWith('.ts'))
      .map(({ name }) => name);
    expect(there.filter((name) => !(name in rooms))).toEqual([]);
  });

  it.each(Object.keys(rooms))('is kept by %s', (room) => {
    const refused = [...sources, ...imports]
      .filter((file) => roomOf(nameOf(file)) === room)
      .flatMap((file) =>
        importsOf(file).flatMap(({ specifier, file: target }) => {
          const problem = refusal(nameOf(file), target === undefined ? specifier : nameOf(target));
          return problem === undefined ? [] : [problem];
        }),
      );
    expect(refused).toEqual([]);
  });

  it.each([
    ['drift/plan.ts', 'kube/manifest.ts', undefined],
    ['drift/plan.ts', 'client/http-cluster.ts', 'drift/plan.ts imports client/http-cluster.ts: drift may import kube'],
    ['embedded/embedded-cluster.ts', 'client/cluster.ts', undefined],
    [
      'embedded/embedded-cluster.ts',
      'client/transport.ts',
      expect.stringContaining('embedded may import kube, schema'),
    ],
    ['operators/memcached.ts', 'imports/k8s.ts', undefined],
    [
      'operators/memcached.ts',
      'compose/operator.ts',
      expect.stringContaining('operators may import index.ts, imports'),
    ],
    ['imports/k8s.ts', 'kube/manifest.ts', expect.stringContaining('imports may import index.ts')],
    ['kube/manifest.ts', 'undici', 'kube/manifest.ts imports undici, which is for client'],
    ['kube/manifest.ts', 'lodash', 'kube/manifest.ts imports lodash, which is for nobody'],
    ['kube/manifest.ts', 'test/kube/fixture.ts', expect.stringContaining('kube may import nothing')],
  ])('judges %s importing %s', (from, to, expected) => {
    expect(refusal(from, to)).toEqual(expected);
  });

  it.each([
    ['rendering', 'main.ts', ['client', 'runtime', 'undici', '@kubernetes/client-node', 'pino', 'prom-client']],
    ['the controller', 'controller.ts', ['install', 'gitops']],
    ['the vocabulary of authors', 'index.ts', ['client', 'runtime', 'install', 'gitops', 'embedded', 'undici']],
  ])('keeps from %s what it must never load', (_, entry, never) => {
    const loaded = [...reachableFrom(join(sourceFolder, entry))].flatMap((file) => [
      roomOf(nameOf(file)),
      ...importsOf(file).flatMap((each) => (each.file || each.isTypeOnly ? [] : [each.specifier])),
    ]);
    expect(never.filter((name) => loaded.includes(name))).toEqual([]);
  });

  it('loads @kubernetes/client-node only when it is asked for', () => {
    const eager = sources.filter((file) =>
      importsOf(file).some((each) => each.specifier === '@kubernetes/client-node' && !each.isLazy && !each.isTypeOnly),
    );
    expect(eager.map(nameOf)).toEqual([]);
  });
});

describe('a source file', () => {
  const everything = [...sources, ...imports, ...tests];
  const isIn = (names: readonly string[]) => (file: string) => names.includes(roomOf(nameOf(file)));
  const isNotIn = (names: readonly string[]) => (file: string) => !isIn(names)(file);

  it('is named in kebab-case, for what it is', () => {
    const names = [...sources, ...imports, ...tests].map(nameOf);
    expect(
      names.filter((name) => !/^([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.ts$/.test(name)),
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

  it('has at most 100 lines, in the median', () => {
    const lines = sources.map(linesOf).sort((a, b) => a - b);
    expect(lines[Math.floor(lines.length / 2)]).toBeLessThanOrEqual(100);
  });

  const pureRooms = ['kube', 'schema', 'resource', 'compose', 'drift', 'operators'];
  const entries = ['main.ts', 'controller.ts', 'cli'];

  it.each<[string, keyof typeof forbidden, readonly string[], readonly string[]]>([
    ['has no any', 'any', everything, []],
    ['has no default export', 'defaultExport', everything, []],
    ['has no enum', 'enum', everything, []],
    ['has no namespace', 'namespace', everything, []],
    ['reads the environment only in an entry', 'environment', sources.filter(isNotIn(entries)), []],
    ['of a pure room knows nothing of the world', 'world', sources.filter(isIn(pureRooms)), []],
    ['of a pure room has its time and its chance from outside', 'machine', sources.filter(isIn(pureRooms)), clocks],
    ['of the runtime has its time and its chance from outside', 'machine', sources.filter(isIn(['runtime'])), clocks],
  ])('%s', (_, rule, files, except) => {
    const offends = (file: string) => forbidden[rule].test(codeOf(readFileSync(file, 'utf8')));
    expect(files.map(nameOf).filter((name, index) => !except.includes(name) && offends(files[index]!))).toEqual([]);
  });

  it.each<[keyof typeof forbidden, string, string]>([
    ['any', 'const a = b as any;', "const a = 'any'; // any"],
    ['any', 'function f(a: readonly any[]) {}', 'list.any(1)'],
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

/** Why `from` may not import `to`, both as `nameOf` gives them, or `to` as the name of a package. */
function refusal(from: string, to: string): string | undefined {
  const room = roomOf(from);
  if (!to.endsWith('.ts')) {
    const allowed = packages[to] ?? [];
    return allowed.includes(room) ? undefined : `${from} imports ${to}, which is for ${allowed.join(', ') || 'nobody'}`;
  }
  const allowed = rooms[room] ?? [];
  if (roomOf(to) === room || allowed.includes(roomOf(to)) || allowed.includes(to)) return undefined;
  return `${from} imports ${to}: ${room} may import ${allowed.join(', ') || 'nothing'}`;
}

/** `drift/plan.ts` of src/; `imports/k8s.ts` and `test/…` keep their folder. */
function nameOf(file: string): string {
  const inSource = relative(sourceFolder, file);
  return inSource.startsWith('..') ? relative(packageRoot, file) : inSource;
}

function roomOf(name: string): string {
  return name.split('/')[0]!;
}

function typescriptBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.split('/').includes('node_modules'))
    .map((path) => join(folder, path))
    .sort();
}

function linesOf(file: string): number {
  return readFileSync(file, 'utf8').trimEnd().split('\n').length;
}

/** The words of the first comment, without its marks. */
function firstComment(file: string): string {
  const [comment = ''] = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/.exec(readFileSync(file, 'utf8')) ?? [];
  return comment.replace(/^\/[/*]+\s*(\*\s*)?/, '');
}
