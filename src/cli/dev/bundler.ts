import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
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
 * outside, but for those of the same workspace that are TypeScript, which Node would not load, and `import.meta` says of each source
 * what it would say without.
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
    const { name, type } = this.#context ? {} : await packageIn(root);
    const names = { ...ownNames, ...(type === 'module' ? {} : namesOfCommonJs) };
    this.#context ??= await context({
      entryPoints: [entry],
      absWorkingDir: root,
      outfile: join(folder, 'bundle.mjs'),
      bundle: true,
      write: false,
      metafile: true,
      // Those of Node: a condition "module" is for bundlers alone.
      conditions: [],
      platform: 'node',
      target: `node${process.versions.node}`,
      format: 'esm',
      sourcemap: 'inline',
      logLevel: 'silent',
      banner: { js: ownRequire },
      define: names,
      plugins: [packagesOutside(root), ownPlaces(names), ...(name === 'kilter' ? [kilterItself(root)] : [])],
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

/** What sources that are CommonJS have, and a module has not. */
const ownRequire =
  "import { createRequire as __kilter_require } from 'node:module'; const require = __kilter_require(import.meta.url);";

/** Leaves packages to Node. One that a source of another package asks for may be there for that package alone. */
function packagesOutside(root: string): Plugin {
  const isOwn = (file: string) => !relative(realpathSync(root), file).startsWith('..');
  return {
    name: 'packages',
    setup({ onResolve, resolve: find }) {
      onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer, resolveDir, pluginData, with: attributes }) => {
        if (pluginData === looking || kind === 'entry-point') return undefined;
        const asked = { kind, pluginData: looking, with: attributes };
        const found = await find(path, { ...asked, importer, resolveDir });
        // Whatever is missing, Node says so when it is needed.
        if (found.errors.length > 0 || found.external || found.namespace !== 'file') return { path, external: true };
        const isInstalled = found.path.split(sep).includes('node_modules');
        if (!isInstalled && (isOwn(found.path) || /\.[cm]?tsx?$/.test(found.path))) return { path: found.path };
        const fromHere = await find(path, { ...asked, resolveDir: root });
        if (fromHere.path === found.path) return { path, external: true };
        return { path: kind.startsWith('require') ? found.path : pathToFileURL(found.path).href, external: true };
      });
    },
  };
}

/** By which a plugin knows its own question. */
const looking = Symbol('looking');

/** Under these a source finds where it lies: a bundle is one module, and lies elsewhere. */
const ownNames = {
  'import.meta.url': '__kilter_url',
  'import.meta.filename': '__kilter_filename',
  'import.meta.dirname': '__kilter_dirname',
};
const namesOfCommonJs = { __filename: '__kilter_filename', __dirname: '__kilter_dirname' };

/** Defines what `names` stand for in each source that has one of them. */
function ownPlaces(names: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'places of sources',
    setup({ onLoad }) {
      onLoad({ filter: /\.[cm]?[jt]sx?$/, namespace: 'file' }, async ({ path }) => {
        // Of what cannot be read the compiler tells, with the place where it is imported.
        const text = await readFile(path, 'utf8').catch(() => '');
        const [, sort, extension] = /\.([cm]?)([jt]sx?)$/.exec(path) as RegExpExecArray;
        const values = [pathToFileURL(path).href, path, dirname(path)].map((value) => JSON.stringify(value));
        const define = (as: readonly string[]) =>
          as.map((name, index) => `const ${name} = ${values.at(index - as.length)};`);
        const places = Object.keys(names).some((name) => text.includes(name)) ? define(Object.values(ownNames)) : [];
        // Also in a package of modules, where these are not replaced.
        if (sort === 'c' && /__(file|dir)name/.test(text)) places.push(...define(Object.keys(namesOfCommonJs)));
        if (places.length === 0) return undefined;
        // On the first line, so that the numbers of lines stay; which program runs it stands there in vain then.
        const contents = `${places.join(' ')} ${text.replace(/^\uFEFF?#!/, '//')}`;
        return { contents, loader: extension as 'js' | 'jsx' | 'ts' | 'tsx', resolveDir: dirname(path) };
      });
    },
  };
}

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
    setup({ onResolve }) {
      if (!existsSync(source)) return;
      const real = realpathSync(source);
      onResolve({ filter: /(^|\/)index\.[jt]s$/ }, ({ path, resolveDir }) =>
        resolve(resolveDir, path).replace(/\.js$/, '.ts') === real ? { path: running.href, external: true } : undefined,
      );
    },
  };
}

async function packageIn(root: string): Promise<{ readonly name?: string; readonly type?: string }> {
  const file = join(root, 'package.json');
  try {
    const text = await readFile(file, 'utf8');
    return JSON.parse(text.replace(/^\uFEFF/, '')) as { readonly name?: string; readonly type?: string };
  } catch (cause) {
    throw new OperatorError(`reading ${file} failed`, { cause });
  }
}

/** Where something can come that a relative import looked for in vain: its folder, or what there is of the way to it. */
function placeOfMissing(root: string, { text, location }: Message): string[] {
  const path = /^Could not resolve "(\..*)"$/.exec(text)?.[1];
  if (path === undefined || !location) return [];
  let place = dirname(resolve(root, dirname(location.file), path));
  while (!existsSync(place)) place = dirname(place);
  return [place];
}
