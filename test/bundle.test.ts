import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readManifests } from './install/read-manifests.js';

const root = join(import.meta.dirname, '..');
const bundle = join(root, 'build/bundle');
const run = promisify(execFile);

describe('the bundle of the controller, as the image runs it', () => {
  beforeAll(async () => {
    await run('npm', ['run', 'bundle'], { cwd: root });
  }, 60_000);

  it('needs no dependency beside it', () => {
    const imports = readdirSync(bundle)
      .filter((file) => file.endsWith('.mjs'))
      .flatMap((file) => [
        ...readFileSync(join(bundle, file), 'utf8').matchAll(/^(?:import|export) .*?from ?"([^"]+)";$/gm),
      ])
      .map(([, from]) => from!)
      .filter((from) => !from.startsWith('.') && !from.startsWith('node:'));
    const { builtinModules } = process.getBuiltinModule('node:module');
    expect(imports.filter((name) => !builtinModules.includes(name))).toEqual([]);
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
  }, 30_000);

  it('starts small: what only a kubeconfig needs is loaded only then', () => {
    const entry = statSync(join(bundle, 'controller.mjs')).size;
    expect(entry).toBeLessThan(3_000_000);
    expect(readFileSync(join(bundle, 'controller.mjs'), 'utf8')).not.toContain('CoreV1Api');
  });
});
