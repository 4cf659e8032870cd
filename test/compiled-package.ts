import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from './cluster/package-root.js';

/** kilter as its package holds it, bundled from these sources. */
export interface CompiledPackage {
  /** What an author's `node_modules/kilter` would be. */
  readonly folder: string;
  /** The command `kilter`. */
  readonly program: string;
  /** The sources that it was bundled from, by their paths. */
  readonly inputs: Readonly<Record<string, unknown>>;
  remove(): void;
}

/** Does what `npm run build:package` does, to a folder of its own. */
export async function compilePackage(): Promise<CompiledPackage> {
  mkdirSync(join(packageRoot, 'build'), { recursive: true });
  // Below the package, where its dependencies are found.
  const folder = mkdtempSync(join(packageRoot, 'build/dev-test-'));
  const manifest = readFileSync(join(packageRoot, 'package.json'), 'utf8');
  writeFileSync(join(folder, 'package.json'), manifest);
  const { bin, scripts } = JSON.parse(manifest) as {
    readonly bin: { readonly kilter: string };
    readonly scripts: Readonly<Record<string, string>>;
  };
  const [program = '', ...options] = (scripts['build:package'] ?? '').split(' ');
  const elsewhere = options.map((option) => option.replace(/^--outdir=/, `--outdir=${folder}/`));
  const metafile = join(folder, 'inputs.json');
  const bundler = join(packageRoot, 'node_modules/.bin', program);
  await promisify(execFile)(bundler, [...elsewhere, `--metafile=${metafile}`], { cwd: packageRoot });
  const [node = '', script = '', built = ''] = (scripts['postbuild:package'] ?? '').split(' ');
  await promisify(execFile)(node, [script, join(folder, built)], { cwd: packageRoot });
  const { inputs } = JSON.parse(readFileSync(metafile, 'utf8')) as Pick<CompiledPackage, 'inputs'>;
  return {
    folder,
    program: join(folder, bin.kilter),
    inputs,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Writes the types of a compiled package into `folder`, as `npm pack` holds them. */
export async function declareTypes(folder: string): Promise<void> {
  const config = join(folder, 'tsconfig.json');
  const compilerOptions = { rootDir: '../..', outDir: 'build', emitDeclarationOnly: true, sourceMap: false };
  const include = ['../../src', '../../imports'];
  writeFileSync(config, JSON.stringify({ extends: '../../tsconfig.json', compilerOptions, include, exclude: [] }));
  await promisify(execFile)(join(packageRoot, 'node_modules/.bin/tsc'), ['-p', config]);
}
