import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '..');
const run = promisify(execFile);

/** Every file below `directory`, with its bytes. */
function contents(directory: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .filter((path) => statSync(join(directory, path)).isFile())
      .sort()
      .map((path) => [path, readFileSync(join(directory, path), 'utf8')]),
  );
}

describe('the render', () => {
  let scratch: string;
  let main: string;
  const cdk8s = join(root, 'node_modules/.bin/cdk8s');
  // In colour the compiler names a place in another way.
  const { FORCE_COLOR: _, ...machine } = process.env;
  const environment: NodeJS.ProcessEnv = { ...machine, CDK8S_CHECK_UPGRADE: 'false', CI: '1' };

  // Compiled on the spot and below the package, so that the test sees these sources and finds these dependencies.
  beforeAll(async () => {
    mkdirSync(join(root, 'build'), { recursive: true });
    scratch = mkdtempSync(join(root, 'build/render-test-'));
    main = join(scratch, 'main.mjs');
    const options = { bundle: true, packages: 'external', platform: 'node', format: 'esm' } as const;
    await build({ ...options, entryPoints: [join(root, 'src/main.ts')], outfile: main, metafile: true });
  });
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  const renderTo = async (name: string, env: NodeJS.ProcessEnv = {}) => {
    const outdir = join(scratch, name);
    await run(process.execPath, [main], { cwd: root, env: { ...environment, ...env, CDK8S_OUTDIR: outdir } });
    return contents(outdir);
  };
  // Away from our cdk8s.yaml: `synth --stdout` empties the output folder that it names, although it writes nothing there.
  const synth = (args: readonly string[]) =>
    run(process.execPath, [cdk8s, 'synth', '--app', `node "${main}"`, ...args], {
      cwd: scratch,
      env: environment,
      maxBuffer: 1 << 26,
    });

  it('is what is committed in dist', async () => {
    expect(await renderTo('once')).toEqual(contents(join(root, 'dist')));
  });

  it('gives the same bytes twice', async () => {
    expect(await renderTo('twice', { TZ: 'Asia/Tokyo', LANG: 'tr_TR.UTF-8', CDK8S_DISABLE_SORT: '1' })).toEqual(
      await renderTo('again'),
    );
  });

  it('gives the same bytes from cdk8s synth', async () => {
    const outdir = join(scratch, 'synth');
    await synth(['--output', outdir]);
    expect(contents(outdir)).toEqual(await renderTo('beside-synth'));
  });

  it('is a stream of documents from cdk8s synth --stdout', async () => {
    const { stdout } = await synth(['--stdout']);
    const kinds = stdout
      .split(/^---\n/m)
      .slice(1)
      .map((document) => (parse(document) as { kind: string }).kind);
    const files = Object.keys(await renderTo('beside-stdout')).filter((path) => path.endsWith('.yaml'));
    expect(kinds).toHaveLength(files.length);
    expect(kinds).not.toContain('Kustomization');
  });

  it('is the same in a fresh clone, in which nothing is compiled', async () => {
    const clone = join(scratch, 'clone');
    for (const part of ['cdk8s.yaml', 'package.json', 'tsconfig.json', 'src', 'imports']) {
      cpSync(join(root, part), join(clone, part), { recursive: true });
    }
    const { CDK8S_OUTDIR: _, ...env } = environment;
    await run(process.execPath, [cdk8s, 'synth'], { cwd: clone, env });
    expect(contents(join(clone, 'dist'))).toEqual(contents(join(root, 'dist')));
    const elsewhere = join(scratch, 'elsewhere');
    await run(process.execPath, [cdk8s, 'synth', '--output', elsewhere], { cwd: clone, env });
    expect(contents(elsewhere)).toEqual(contents(join(root, 'dist')));
  });

  it('tells what the compiler says, also by cdk8s synth', async () => {
    const clone = join(scratch, 'broken');
    for (const part of ['cdk8s.yaml', 'package.json', 'tsconfig.json']) cpSync(join(root, part), join(clone, part));
    mkdirSync(join(clone, 'src'));
    writeFileSync(join(clone, 'src/main.ts'), "export const size: number = 'three';\n");
    const failed = run(process.execPath, [cdk8s, 'synth'], { cwd: clone, env: environment });
    await expect(failed).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('src/main.ts(1,14)') });
  });

  it('removes what an earlier one left', async () => {
    const before = await renderTo('stale');
    writeFileSync(join(scratch, 'stale/samples/gone.yaml'), '');
    expect(await renderTo('stale')).toEqual(before);
  });

  it('takes the image from the environment', async () => {
    const image = `registry.example.com/kilter@sha256:${'0'.repeat(64)}`;
    const rendered = await renderTo('image', { KILTER_IMAGE: image });
    const images = Object.values(rendered).flatMap((text) =>
      [...text.matchAll(/image: (.*kilter.*)/g)].map(([, name]) => name),
    );
    expect(new Set(images)).toEqual(new Set([image]));
  });

  it.each([
    ['http://b:9000/base', [443, 6443, 8443, 16443, 9000]],
    ['http://b', [443, 6443, 8443, 16443, 80]],
    ['https://b', [443, 6443, 8443, 16443]],
  ])('lets the operator of tickets through to the booking service at %s', async (url, ports) => {
    const rendered = await renderTo('booking', { BOOKING_URL: url });
    const [, text] = Object.entries(rendered).find(([path]) => /flightticket.*networkpolicy/.test(path)) ?? [];
    const { spec } = parse(text ?? '') as { spec: { egress: readonly { ports: readonly { port: number }[] }[] } };
    expect(spec.egress[0]?.ports.map(({ port }) => port)).toEqual(ports);
  });

  it.each(['', 'b:9000'])('refuses %j for the booking service', async (url) => {
    await expect(renderTo('no-booking', { BOOKING_URL: url })).rejects.toThrow(`BOOKING_URL "${url}" is no URL`);
  });

  it('is what cdk8s.yaml and the script run', () => {
    const { app, output } = parse(readFileSync(join(root, 'cdk8s.yaml'), 'utf8')) as { app: string; output: string };
    const { version, scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      version: string;
      scripts: { synth: string };
    };
    expect({ app, output }).toEqual({ app: 'npm run --silent synth >&2', output: 'dist' });
    expect(scripts.synth).toContain('node build/src/main.js');
    expect(readFileSync(join(root, 'src/main.ts'), 'utf8')).toContain(`'kilter:${version}'`);
  });
});
