import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { packageRoot } from '../cluster/package-root.js';
import { runKilter } from './run-kilter.js';
import { wideDefinition } from './wide-definition.js';

const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string };

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
    [['--help'], ['import', 'dev', 'version', '--log-format', '--no-color', 'Exit codes: 0 done, 1 it failed, 2 ']],
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
    expect(await runKilter(['import', 'crd', '-', '-o', file], { stdin: wideDefinition(1) })).toEqual({
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
    const { exitCode, stderr } = await runKilter(['import', 'crd', '-', '-o', folder], { stdin: wideDefinition(1) });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`error: writing ${folder} failed\n  cause: EISDIR`);
  });
});
