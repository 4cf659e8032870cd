import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { packageRoot } from '../../cluster/package-root.js';

/** kilter as its package holds it, compiled from these sources. */
export interface CompiledPackage {
  /** What an author's `node_modules/kilter` would be. */
  readonly folder: string;
  /** The command `kilter`. */
  readonly program: string;
  remove(): void;
}

/** Compiles file by file, so that each stands where it stands in the package. */
export async function compilePackage(): Promise<CompiledPackage> {
  mkdirSync(join(packageRoot, 'build'), { recursive: true });
  // Below the package, where its dependencies are found.
  const folder = mkdtempSync(join(packageRoot, 'build/dev-test-'));
  const manifest = readFileSync(join(packageRoot, 'package.json'), 'utf8');
  writeFileSync(join(folder, 'package.json'), manifest);
  const sources = ['src', 'imports'].flatMap((part) =>
    readdirSync(join(packageRoot, part), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(packageRoot, part, file)),
  );
  await build({
    entryPoints: sources,
    outbase: packageRoot,
    outdir: join(folder, 'build'),
    platform: 'node',
    target: 'node20',
    format: 'esm',
  });
  const { bin } = JSON.parse(manifest) as { readonly bin: { readonly kilter: string } };
  return {
    folder,
    program: join(folder, bin.kilter),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
