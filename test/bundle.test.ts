import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readManifests } from './install/read-manifests.js';

interface Bom {
  readonly metadata: { readonly component: { readonly name: string; readonly version: string } };
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly hashes?: readonly object[];
  }[];
}

const root = join(import.meta.dirname, '..');
const bundle = join(root, 'build/bundle');
/** The same program with its comments, by which esbuild marks where each package begins. */
const readable = join(root, 'build/bundle-readable');
const run = promisify(execFile);

describe('the bundle of the controller, as the image runs it', () => {
  beforeAll(async () => {
    // What an earlier one left there is no part of this one.
    for (const folder of [bundle, readable]) rmSync(folder, { recursive: true, force: true });
    // As in the build of an image, where npm leaves tools out.
    const env = { ...process.env, NODE_ENV: 'production' };
    const bundled = (...words: string[]) => run('npm', ['run', 'bundle', '--', ...words], { cwd: root, env });
    await Promise.all([bundled(), bundled('--readable', `--outdir=${readable}`)]);
  });

  it('needs no dependency beside it', () => {
    const imports = readdirSync(readable)
      .filter((file) => file.endsWith('.mjs'))
      .flatMap((file) => [
        ...readFileSync(join(readable, file), 'utf8').matchAll(/^(?:import|export) .*?from ?"([^"]+)";$/gm),
      ])
      .map(([, from]) => from!)
      .filter((from) => !from.startsWith('.') && !from.startsWith('node:'));
    const { builtinModules } = process.getBuiltinModule('node:module');
    expect(imports.filter((name) => !builtinModules.includes(name))).toEqual([]);
  });

  it('has no character for which V8 would keep it in twice the memory', () => {
    const texts = readdirSync(bundle).filter((file) => file.endsWith('.mjs'));
    const wide = texts.filter((file) => /[^\0-\x7f]/.test(readFileSync(join(bundle, file), 'utf8')));
    expect(wide).toEqual([]);
  });

  it('turns slow compilers off before anything else runs', () => {
    const [first] = /^\/\/ \S+\.ts$/m.exec(readFileSync(join(readable, 'controller.mjs'), 'utf8')) ?? [];
    expect(first).toBe('// src/runtime/process/quick-compilers.ts');
  });

  it('S-28: tells scanners and readers which packages are in it, and no others', () => {
    const bom = JSON.parse(readFileSync(join(bundle, 'sbom.cdx.json'), 'utf8')) as Bom;
    const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, string>;
    expect(bom.metadata.component).toMatchObject({ name, version });
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      readonly packages: Readonly<Record<string, { readonly version: string; readonly integrity?: string }>>;
    };
    for (const { name: of, version: at, hashes } of bom.components) {
      const locked = Object.entries(packages).filter(
        ([path, each]) => path.endsWith(`node_modules/${of}`) && each.version === at,
      );
      // What another package brings in itself is covered by the hash of that.
      const isHashed = locked.every(([, { integrity }]) => integrity !== undefined);
      expect([of, at, locked.length > 0, hashes?.length]).toEqual([of, at, true, isHashed ? 1 : undefined]);
    }
    const named = bom.components.map((each) => each.name);
    expect(named).toEqual(expect.arrayContaining(['undici', 'pino', 'prom-client', 'cdk8s', 'constructs', 're2js']));
    for (const absent of ['jest', 'esbuild', 'typescript', 'cdk8s-plus-28']) expect(named).not.toContain(absent);
    const program = readdirSync(readable).filter((file) => file.endsWith('.mjs'));
    const text = program.map((file) => readFileSync(join(readable, file), 'utf8')).join('');
    const within = [...text.matchAll(/^\s*\/\/ node_modules\/(?:.*node_modules\/)?((?:@[^/]+\/)?[^/]+)\//gm)].map(
      ([, of]) => of!,
    );
    expect(within).toContain('undici');
    expect([...new Set(within)].filter((of) => !named.includes(of))).toEqual([]);

    const notices = readFileSync(join(bundle, 'NOTICES.txt'), 'utf8');
    for (const { name: of, version: at } of bom.components) expect(notices).toContain(`${of} ${at}\n\n`);
    expect(notices).toContain('Copyright (c) Matteo Collina and Undici contributors');
  });

  it('reads a kubeconfig, for which it loads what a Pod does without', async () => {
    const file = join(bundle, 'kubeconfig');
    const said = async (text: string) => {
      writeFileSync(file, text);
      const failed = (error: { readonly stdout: string; readonly stderr: string }) => error;
      const { stdout, stderr } = await run(process.execPath, [join(bundle, 'controller.mjs'), `--kubeconfig=${file}`], {
        cwd: '/',
      }).catch(failed);
      return stdout + stderr;
    };
    expect(await said('a: [')).toContain(`reading kubeconfig ${file} failed: line 1 is not YAML`);
    expect(await said('current-context: absent')).toContain('has no context \\"absent\\"');
  });

  it('knows every flag that the install gives it', async () => {
    const { stdout } = await run(process.execPath, [join(bundle, 'controller.mjs'), '--help'], { cwd: '/' });
    const flags = readManifests(join(root, 'dist'))
      .filter(({ kind }) => kind === 'Deployment')
      .flatMap(
        ({ spec }) => (spec as { template: { spec: { containers: { args: string[] }[] } } }).template.spec.containers,
      )
      .flatMap(({ args }) => args)
      .map((arg) => arg.replace(/=.*/, ''));
    expect(flags.length).toBeGreaterThan(2);
    expect(flags.filter((flag) => !stdout.includes(flag))).toEqual([]);
  });

  it('starts small: what only a kubeconfig needs is loaded only then', () => {
    const entry = statSync(join(bundle, 'controller.mjs')).size;
    expect(entry).toBeLessThan(3_000_000);
    expect(readFileSync(join(bundle, 'controller.mjs'), 'utf8')).not.toContain('CoreV1Api');
  });
});
