import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Operator } from '../compose/operator.js';
import { OperatorError } from '../kube/errors.js';

/** Where operators are looked for when nobody says. */
export const usualEntry = 'src/operators/all.ts';

/** What was named, or the same in JavaScript, where nobody named any and a project is in that alone. */
export function entryOf(named: string, folder = process.cwd()): string {
  const inJavaScript = named.replace(/ts$/, 'js');
  const isThere = (entry: string) => existsSync(resolve(folder, entry));
  return named === usualEntry && !isThere(named) && isThere(inJavaScript) ? inJavaScript : named;
}

/** The folder of the package.json that the module `entry` belongs to. Throws `OperatorError` where there is none, or no module. */
export function rootOf(entry: string): string {
  if (statSync(entry, { throwIfNoEntry: false })?.isDirectory()) {
    throw new OperatorError(`${entry} is a folder`, {
      hint: 'name the module in it that exports your operators, such as src/my-operators.ts',
    });
  }
  const folder = dirname(entry);
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'package.json'))) return at;
    if (dirname(at) === at) {
      throw new OperatorError(`there is no package.json in ${folder}, nor above it`, {
        hint: 'run kilter in your project; npm init makes one',
      });
    }
  }
}

/**
 * The operators that a module of an author exports, compiled and loaded into this process.
 *
 * Throws `OperatorError` for what cannot be compiled or loaded, with the author's place in it.
 */
export async function loadOperators(entry: string, colors: boolean): Promise<readonly Operator[]> {
  // The compiler is for this alone.
  const [{ Bundler }, { operatorsIn }, { refusalOf }] = await Promise.all([
    import('./dev/bundler.js'),
    import('./dev/operators-in.js'),
    import('./dev/refusal.js'),
  ]);
  const path = resolve(entry);
  const root = rootOf(path);
  const bundler = new Bundler({ entry: path, root, folder: join(root, `.kilter/load-${process.pid}`), colors });
  try {
    const { file } = await bundler.build();
    // By which an error names a place in the sources, and not in what they were compiled to.
    process.setSourceMapsEnabled(true);
    const exports = await import(pathToFileURL(file).href).catch((error: unknown) => {
      const { message, hint } = refusalOf(error);
      throw new OperatorError(`${entry} cannot be loaded: ${message}`, { hint, cause: error });
    });
    return operatorsIn(exports as Readonly<Record<string, unknown>>, entry);
  } finally {
    await bundler.close();
  }
}
