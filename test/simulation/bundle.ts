import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';

/** One mistake, as a change of the source text of a file. The text is there once, or the mistake cannot be made. */
export interface Mistake {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** `source` with the mistake in it. */
export function plant({ file, find, replace }: Mistake, source: string): string {
  const count = source.split(find).length - 1;
  if (count !== 1) throw new Error(`${file} has the text ${count} times that is to be changed: ${find}`);
  return source.replace(find, () => replace);
}

/** Bundles the worker of `root`, with a mistake planted if one is given, and returns where it is. */
export async function bundleWorker(root: string, name: string, mistake?: Mistake): Promise<string> {
  const outfile = join(root, 'build/simulation', `${name}.mjs`);
  await build({
    absWorkingDir: root,
    entryPoints: [join(root, 'test/simulation/worker.ts')],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'warning',
    plugins: mistake ? [planting(root, mistake)] : [],
  });
  return outfile;
}

function planting(root: string, mistake: Mistake): Plugin {
  const path = join(root, mistake.file);
  return {
    name: 'plant',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async (loaded) => {
        if (loaded.path !== path) return undefined;
        return { contents: plant(mistake, await readFile(path, 'utf8')), loader: 'ts' };
      });
    },
  };
}
