import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { packageRoot } from '../cluster/package-root.js';
import type { Ran } from './run-kilter.js';
import { wideDefinition } from './wide-definition.js';

const { version, bin } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
  version: string;
  bin: { kilter: string };
};

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
    const { exitCode, stdout } = await run(['import', 'crd', '-'], { stdin: wideDefinition(20_000) });
    expect(exitCode).toBe(0);
    expect(stdout.match(/^ {2}readonly f\d+\?: unknown;$/gm)).toHaveLength(20_000);
    expect(stdout.endsWith('}\n')).toBe(true);
  });

  it('ends in peace when nobody reads on', async () => {
    const { exitCode, stderr } = await run(['import', 'crd', '-'], { stdin: wideDefinition(20_000), most: 1 });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  // Of a file that cannot grow any more Node's own stream takes what was left out for written.
  it('fails where a file has no room for all that it writes', async () => {
    writeFileSync(join(scratch, 'wide.json'), wideDefinition(1000));
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
