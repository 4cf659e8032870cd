import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BuildContext, BuildFailure, Message, Plugin } from 'esbuild';
import { OperatorError } from '../../kube/errors.js';
import { makeFolder } from './make-folder.js';

export interface BundlerOptions {
  /** The author's module. */
  readonly entry: string;
  /** The folder of the author's package.json. */
  readonly root: string;
  /** Where bundles are written: within `root`, so that they find its packages. */
  readonly folder: string;
  readonly colors: boolean;
}

export interface Bundle {
  /** The module to import. Another file for each content. */
  readonly file: string;
}

/**
 * Compiles an author's module, and what it imports of its own sources, to one module that Node runs as it is. Packages stay
 * outside, and `import.meta` says of each source what it would say without.
 */
export class Bundler {
  /** Where the sources lie: a change in one of these folders may change the bundle. */
  folders: ReadonlySet<string>;
  #context: BuildContext | undefined;
  readonly #files = new Set<string>();

  constructor(private readonly options: BundlerOptions) {
    this.folders = new Set([dirname(options.entry), options.root]);
  }

  /** Throws `OperatorError` with the compiler's words for what cannot be compiled. */
  async build(): Promise<Bundle> {
    const { entry, root, folder } = this.options;
    if (!existsSync(entry)) {
      throw new OperatorError(`there is no ${entry}`, {
        hint: 'name the module that exports your operators, such as src/my-operators.ts',
      });
    }
    const { context } = await import('esbuild');
    this.#context ??= await context({
      entryPoints: [entry],
      absWorkingDir: root,
      outfile: join(folder, 'bundle.mjs'),
      bundle: true,
      write: false,
      metafile: true,
      packages: 'external',
      platform: 'node',
      target: `node${process.versions.node}`,
      format: 'esm',
      sourcemap: 'inline',
      logLevel: 'silent',
      define: Object.fromEntries(Object.entries(ownNames).map(([field, name]) => [`import.meta.${field}`, name])),
      plugins: [ownImportMeta, kilterItself(root)],
    });
    const { outputFiles, metafile } = await this.#context.rebuild().catch((error: unknown) => this.#refuse(error));
    const inputs = Object.keys(metafile?.inputs ?? {}).map((input) => resolve(root, input));
    this.folders = new Set([root, ...inputs.map((input) => dirname(input))]);
    const contents = outputFiles?.[0]?.contents ?? new Uint8Array();
    const file = join(folder, `bundle-${createHash('sha256').update(contents).digest('hex').slice(0, 16)}.mjs`);
    // Somebody may have cleared what Git ignores.
    if (!this.#files.has(file) || !existsSync(file)) {
      await makeFolder(folder);
      await writeFile(file, contents, { mode: 0o600 }).catch((cause: unknown) => {
        throw new OperatorError(`writing ${file} failed`, { cause });
      });
      this.#files.add(file);
    }
    return { file };
  }

  async close(): Promise<void> {
    await this.#context?.dispose();
    for (const file of this.#files) await rm(file, { force: true });
    await rmdir(this.options.folder).catch(() => {});
  }

  async #refuse(error: unknown): Promise<never> {
    const { errors } = error as Partial<BuildFailure>;
    if (!errors) throw error;
    // What is missing may come where it was looked for.
    const missing = errors.flatMap((each) => placeOfMissing(this.options.root, each));
    this.folders = new Set([...this.folders, ...missing]);
    const { formatMessages } = await import('esbuild');
    const texts = await formatMessages(errors, { kind: 'error', color: this.options.colors });
    throw new OperatorError(texts.join('').trimEnd());
  }
}

/** Under these a source finds what `import.meta` has: a bundle is one module, and lies elsewhere. */
const ownNames = { url: '__kilter_url', filename: '__kilter_filename', dirname: '__kilter_dirname' } as const;

const ownImportMeta: Plugin = {
  name: 'import.meta',
  setup({ onLoad }) {
    onLoad({ filter: /\.[cm]?[jt]sx?$/, namespace: 'file' }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!text.includes('import.meta')) return undefined;
      const values = { url: pathToFileURL(path).href, filename: path, dirname: dirname(path) };
      const fields = Object.entries(ownNames) as [keyof typeof ownNames, string][];
      const names = fields.map(([field, name]) => `const ${name} = ${JSON.stringify(values[field])};`).join(' ');
      const extension = /\.[cm]?([jt]sx?)$/.exec(path)?.[1] as 'js' | 'jsx' | 'ts' | 'tsx';
      // On the first line, so that the numbers of lines stay; which program runs it stands there in vain then.
      return { contents: `${names} ${text.replace(/^#!/, '//')}`, loader: extension, resolveDir: dirname(path) };
    });
  },
};

/**
 * In kilter's own repository operators import its sources. They get the code that runs them instead: of two copies of
 * kilter, neither would know the errors of the other.
 */
function kilterItself(root: string): Plugin {
  const source = join(root, 'src/index.ts');
  // Bundled, as the package holds it, this is beside it; compiled file by file it is two folders below.
  const bundled = new URL('./kilter.js', import.meta.url);
  const running = existsSync(bundled) ? bundled : new URL('../../index.js', import.meta.url);
  return {
    name: 'kilter itself',
    async setup({ onResolve }) {
      if (!existsSync(source) || !(await isKilter(root))) return;
      const real = realpathSync(source);
      onResolve({ filter: /(^|\/)index\.[jt]s$/ }, ({ path, resolveDir }) =>
        resolve(resolveDir, path).replace(/\.js$/, '.ts') === real ? { path: running.href, external: true } : undefined,
      );
    },
  };
}

async function isKilter(root: string): Promise<boolean> {
  const { name } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { readonly name?: string };
  return name === 'kilter';
}

/** Where something can come that a relative import looked for in vain: its folder, or what there is of the way to it. */
function placeOfMissing(root: string, { text, location }: Message): string[] {
  const path = /^Could not resolve "(\..*)"$/.exec(text)?.[1];
  if (path === undefined || !location) return [];
  let place = dirname(resolve(root, dirname(location.file), path));
  while (!existsSync(place)) place = dirname(place);
  return [place];
}
