import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { packageRoot } from '../cluster/package-root.js';
import { type Ran, runKilter } from './run-kilter.js';

const { version, bin } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
  version: string;
  bin: { kilter: string };
};
const definition = (fields: number) =>
  JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { kind: 'Wide', plural: 'wides' },
      versions: [
        {
          name: 'v1',
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: Object.fromEntries(Array.from({ length: fields }, (_, index) => [`f${index}`, {}])),
            },
          },
        },
      ],
    },
  });

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kilter-command-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('kilter', () => {
  it('tells its version', async () => {
    expect(await runKilter(['version'])).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each([
    [['--help'], ['import', 'dev', 'version', '--log-format', '--no-color']],
    [
      ['import', '--help'],
      ['k8s', 'crd'],
    ],
    [
      ['import', 'k8s', '--help'],
      ['--output', '--kubeconfig', '--context', '--from', 'Example:'],
    ],
    [
      ['help', 'import'],
      ['k8s', 'crd'],
    ],
    [
      ['dev', '--help'],
      ['src/operators/all.ts', '--samples', '--state', '--fresh', '--port', 'Ctrl-C', 'Types are not', 'Examples:'],
    ],
    [
      ['import', 'crd', '-h'],
      ['--output', '--kubeconfig', '--context', '--from', 'Examples:'],
    ],
  ])('explains itself on standard output: %j', async (args, words) => {
    const { exitCode, stdout, stderr } = await runKilter(args);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(words.filter((word) => !stdout.includes(word))).toEqual([]);
    expect(stdout).not.toContain('--quantities');
  });

  it.each(['dev', 'drift'])('%s names the folder that was given for a module', async (command) => {
    const { exitCode, stderr } = await runKilter(command === 'dev' ? ['dev', folder] : ['drift', '--entry', folder]);
    expect(stderr).toBe(
      `error: ${folder} is a folder\n` +
        '  hint: name the module in it that exports your operators, such as src/my-operators.ts\n',
    );
    expect(exitCode).toBe(command === 'dev' ? 1 : 2);
  });

  it.each([
    [['imprt'], "error: unknown command 'imprt'\n  hint: Did you mean import?\n"],
    [['import', 'crd'], "error: missing required argument 'source'\n  hint: see kilter import crd --help\n"],
    [['import', 'crd', 'a', 'b'], 'error: too many arguments'],
    [['reconcile', 'mc', 'cache'], 'Expected 1 argument but got 2.\n  hint: see kilter reconcile --help\n'],
    [['dev', '--port', 'http'], "error: option '--port <number>' argument 'http' is invalid. It is no port"],
    [['import', 'k8s', '--contxt', 'a'], "error: unknown option '--contxt'\n  hint: Did you mean --context?\n"],
    [['--log-format', 'xml', 'version'], "error: option '--log-format <format>' argument 'xml' is invalid."],
    [['import', 'k8s', '--from', ''], "error: option '--from <module>' argument '' is invalid. It is empty.\n"],
    [['import', 'crd', '-', '-o', ''], "error: option '-o, --output <file>' argument '' is invalid. It is empty.\n"],
    [['import', 'crd', ''], "error: command-argument value '' is invalid for argument 'source'. It is empty.\n"],
    [
      ['suspend', 'memcached/cache', '--context='],
      "error: option '--context <name>' argument '' is invalid. It is empty.",
    ],
    [['drift', '-n', ''], "error: option '-n, --namespace <name>' argument '' is invalid. It is empty."],
    [['dev', '--port', ''], "error: option '--port <number>' argument '' is invalid. It is empty."],
    [['dev', ''], "error: command-argument value '' is invalid for argument 'entry'. It is empty."],
    [['--xy', 'version'], "error: unknown option '--xy'\n  hint: see kilter --help\n"],
    [[], 'Usage: kilter [options] [command]'],
    [['import'], 'Usage: kilter import [options] [command]'],
  ])('answers wrong usage with exit code 2 and says what is wrong: %j', async (args, stderr) => {
    expect(await runKilter(args)).toEqual({ exitCode: 2, stdout: '', stderr: expect.stringContaining(stderr) });
  });

  it('shows an error with its cause and its hint', async () => {
    const kubeconfig = join(folder, 'kubeconfig');
    const context = (name: string) => ({ name, context: { cluster: 'none', user: 'none' } });
    writeFileSync(kubeconfig, JSON.stringify({ contexts: [context('staging'), context('production')] }));
    expect(await runKilter(['import', 'k8s', '--kubeconfig', kubeconfig, '--context', 'stagign'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `error: kubeconfig ${kubeconfig} has no context "stagign"\n  hint: choose one of its contexts with --context: staging, production\n`,
    });
    expect((await runKilter(['import', 'crd', './absent.yaml'])).stderr).toBe(
      "error: reading ./absent.yaml failed\n  cause: ENOENT: no such file or directory, open './absent.yaml'\n",
    );
  });

  it.each([
    [
      ['import', 'crd', './absent.yaml'],
      1,
      { msg: 'reading ./absent.yaml failed', cause: expect.stringMatching(/^ENOENT/) },
    ],
    [['import', 'crd'], 2, { msg: "missing required argument 'source'", hint: 'see kilter import crd --help' }],
  ])('shows an error as one line of JSON to machines: %j', async (args, exitCode, fields) => {
    const ran = await runKilter([...args, '--log-format', 'json']);
    expect({
      ...ran,
      stderr: ran.stderr
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    }).toEqual({
      exitCode,
      stdout: '',
      stderr: [{ level: 'error', ...fields }],
    });
  });

  it('colours an error only where colours show and are wanted', async () => {
    const red = '\u001b[31m';
    const failing = ['import', 'crd', './absent.yaml'];
    expect((await runKilter(failing, { colors: true })).stderr).toContain(red);
    expect((await runKilter([...failing, '--no-color'], { colors: true })).stderr).not.toContain(red);
    expect((await runKilter(['--no-color', ...failing], { colors: true })).stderr).not.toContain(red);
    expect((await runKilter(failing)).stderr).not.toContain(red);
  });

  it('writes into a folder that is not there yet, and says so on standard error', async () => {
    const file = join(folder, 'new/folder/wide.ts');
    expect(await runKilter(['import', 'crd', '-', '-o', file], { stdin: definition(1) })).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: `wrote ${file}\n`,
    });
    expect(readFileSync(file, 'utf8')).toContain('export class Wide ');
  });

  it('writes nothing when it fails', async () => {
    const file = join(folder, 'kept.ts');
    writeFileSync(file, 'kept');
    expect((await runKilter(['import', 'crd', '-', '-o', file], { stdin: '{kind: Pod}' })).exitCode).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe('kept');
  });

  it('says where it cannot write', async () => {
    const { exitCode, stderr } = await runKilter(['import', 'crd', '-', '-o', folder], { stdin: definition(1) });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`error: writing ${folder} failed\n  cause: EISDIR`);
  });
});

describe('the program kilter', () => {
  let scratch: string;
  let main: string;

  // As the package has it: the entry where `bin` says, three folders below package.json.
  beforeAll(async () => {
    mkdirSync(join(packageRoot, 'build'), { recursive: true });
    scratch = mkdtempSync(join(packageRoot, 'build/command-test-'));
    writeFileSync(join(scratch, 'package.json'), readFileSync(join(packageRoot, 'package.json')));
    main = join(scratch, bin.kilter);
    const options = { bundle: true, packages: 'external', platform: 'node', format: 'esm' } as const;
    await build({ ...options, entryPoints: [join(packageRoot, 'src/cli/main.ts')], outfile: main });
  });
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  /** Runs it, hands it `stdin`, and stops to read after `most` characters. */
  const run = (args: readonly string[], { stdin = '', most = Number.POSITIVE_INFINITY } = {}): Promise<Ran> =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [main, ...args], { stdio: 'pipe' });
      let [stdout, stderr] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        stdout += text;
        if (stdout.length >= most) child.stdout.destroy();
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
      });
      child.on('error', reject).on('close', (exitCode) => resolve({ exitCode: exitCode ?? -1, stdout, stderr }));
      child.stdin.end(stdin);
    });

  it('hands on the exit code, and finds its version', async () => {
    expect(await run(['version'])).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
    expect((await run(['import', 'crd', './absent.yaml'])).exitCode).toBe(1);
    expect((await run(['nonsense'])).exitCode).toBe(2);
  });

  it('reads all of standard input, and writes all of it to a pipe', async () => {
    const { exitCode, stdout } = await run(['import', 'crd', '-'], { stdin: definition(20_000) });
    expect(exitCode).toBe(0);
    expect(stdout.match(/^ {2}readonly f\d+\?: unknown;$/gm)).toHaveLength(20_000);
    expect(stdout.endsWith('}\n')).toBe(true);
  });

  it('ends in peace when nobody reads on', async () => {
    const { exitCode, stderr } = await run(['import', 'crd', '-'], { stdin: definition(20_000), most: 1 });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  // Of a file that cannot grow any more Node's own stream takes what was left out for written.
  it('fails where a file has no room for all that it writes', async () => {
    writeFileSync(join(scratch, 'wide.json'), definition(1000));
    const into = (file: string, ...words: readonly string[]) =>
      new Promise<Pick<Ran, 'exitCode' | 'stderr'>>((resolve) => {
        const script = 'ulimit -f 8; file="$1"; shift; exec "$@" > "$file"';
        const command = [process.execPath, main, ...words];
        execFile('sh', ['-c', script, 'sh', join(scratch, file), ...command], (error, _, stderr) => {
          resolve({ exitCode: error === null ? 0 : Number(error.code), stderr });
        });
      });
    expect(await into('wide.ts', 'import', 'crd', join(scratch, 'wide.json'))).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/^error: writing to standard output failed\n {2}cause: EFBIG: .*\n$/),
    });
    expect(await into('version', 'version')).toEqual({ exitCode: 0, stderr: '' });
  });

  // As on Node before 22.19, where another undici is not asked for: it fails as it is loaded.
  it('runs a plugin without the library for kubeconfigs, and says what to do where that cannot be loaded', async () => {
    const library = join(scratch, 'node_modules/@kubernetes/client-node');
    mkdirSync(library, { recursive: true });
    writeFileSync(join(library, 'package.json'), JSON.stringify({ type: 'module', exports: './index.js' }));
    writeFileSync(join(library, 'index.js'), 'export const KubeConfig = undefined.bind;');
    const by = (user: object, cluster: object = {}) => {
      const kubeconfig = join(scratch, 'kubeconfig');
      const content = {
        'current-context': 'one',
        contexts: [{ name: 'one', context: { cluster: 'one', user: 'one' } }],
        clusters: [{ name: 'one', cluster: { server: 'https://127.0.0.1:1', ...cluster } }],
        users: [{ name: 'one', user }],
      };
      writeFileSync(kubeconfig, JSON.stringify(content));
      return run(['reconcile', 'memcached/cache', '--kubeconfig', kubeconfig]);
    };
    const apiVersion = 'client.authentication.k8s.io/v1';
    const credential = JSON.stringify({ apiVersion, kind: 'ExecCredential', status: { token: 'secret' } });
    const exec = { apiVersion, command: 'echo', args: [credential], interactiveMode: 'Never' };
    expect((await by({ exec })).stderr).toMatch(/^error: \/apis get failed: connect ECONNREFUSED/);
    expect((await by({ exec }, { 'proxy-url': 'http://127.0.0.1:1' })).stderr).toMatch(/^error: \/apis get failed: /);

    writeFileSync(join(scratch, 'token'), 'secret');
    expect(await by({ tokenFile: join(scratch, 'token') })).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `error: @kubernetes/client-node, which reads such a kubeconfig, cannot be loaded: Cannot read properties of undefined (reading 'bind')
  hint: before Node 22.19 the undici that it asks for does not run: take a newer Node, or give it undici 7, by "overrides" in package.json, which pnpm has among its settings, and which Yarn calls "resolutions"
`,
    });
  });
});
