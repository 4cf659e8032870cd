import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Bundler } from '../../../src/cli/dev/bundler.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'kilter-bundler-'));
  write('node_modules/paint/package.json', '{ "name": "paint", "main": "paint.js" }');
  write('node_modules/paint/paint.js', "exports.color = 'green';");
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

/** What the author's module exports, as Node has it once it is compiled. */
async function exportsOf(entry: string, within = '.'): Promise<unknown> {
  const root = join(folder, within);
  const bundler = new Bundler({ entry: join(root, entry), root, folder: join(root, 'out'), colors: false });
  try {
    const { href } = pathToFileURL((await bundler.build()).file);
    const program = `console.log(JSON.stringify(await import('${href}')))`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
    return JSON.parse(stdout);
  } finally {
    await bundler.close();
  }
}

describe('sources that are CommonJS', () => {
  it.each([
    ['of a package that is', 'all.js', '{}'],
    ['by their name', 'all.cjs', '{ "type": "module" }'],
  ])('require packages, and know where they lie: %s', async (_, entry, manifest) => {
    write('package.json', manifest);
    write('src/part.cjs', "exports.read = require('node:fs').readFileSync;");
    write('src/text.txt', 'here');
    write(
      `src/${entry}`,
      `const { read } = require('./part.cjs');
       module.exports = { ...require('paint'), text: read(__dirname + '/text.txt', 'utf8'), own: __filename };`,
    );
    const own = join(folder, 'src', entry);
    expect(await exportsOf(`src/${entry}`)).toEqual({ default: { color: 'green', text: 'here', own } });
  });

  it('are imported by modules', async () => {
    write('package.json', '{ "type": "module" }');
    write('src/part.cjs', "module.exports = require('paint');");
    write('src/all.ts', "import part from './part.cjs'; export const { color } = part;");
    expect(await exportsOf('src/all.ts')).toEqual({ color: 'green' });
  });
});

describe('packages of the same workspace', () => {
  beforeEach(() => {
    write('app/package.json', '{ "type": "module", "imports": { "#own/*": "./src/*.ts", "#paint": "paint" } }');
    write('app/src/own.ts', "export { color as own } from '#paint';");
    mkdirSync(join(folder, 'app/node_modules'));
    symlinkSync('../../shared', join(folder, 'app/node_modules/shared'));
    // Only `shared` has it, as pnpm would have it.
    write(
      'shared/node_modules/ink/package.json',
      '{ "name": "ink", "exports": { "module": "./no.js", "default": "./ink.cjs" } }',
    );
    write('shared/node_modules/ink/ink.cjs', "exports.ink = 'black';");
  });

  it('are compiled along where they are TypeScript, with packages of their own', async () => {
    write('shared/package.json', '{ "name": "shared", "type": "module", "exports": "./src/index.ts" }');
    write(
      'shared/src/index.ts',
      "import { Size } from './size.js'; export { ink } from 'ink'; export const size = Size.Large;",
    );
    write('shared/src/size.ts', 'export enum Size { Large = 3 }');
    write('app/src/all.ts', "export * from 'shared'; export { own } from '#own/own';");
    expect(await exportsOf('src/all.ts', 'app')).toEqual({ size: 3, ink: 'black', own: 'green' });
  });

  it('are loaded by Node where they are JavaScript', async () => {
    write('shared/package.json', '{ "name": "shared", "type": "module", "exports": "./index.js" }');
    write('shared/index.js', "export { ink } from 'ink'; export const { url } = import.meta;");
    write('app/src/all.ts', "export { ink, url } from 'shared';");
    const { href: url } = pathToFileURL(join(folder, 'shared/index.js'));
    expect(await exportsOf('src/all.ts', 'app')).toEqual({ ink: 'black', url });
  });

  it('may lie below the one that imports them', async () => {
    write('app/packages/inner/src/index.ts', "export { ink } from 'ink'; export { color } from 'paint';");
    mkdirSync(join(folder, 'app/packages/inner/node_modules'));
    symlinkSync('../../../../shared/node_modules/ink', join(folder, 'app/packages/inner/node_modules/ink'));
    write('app/src/all.ts', "export * from '../packages/inner/src/index.js';");
    expect(await exportsOf('src/all.ts', 'app')).toEqual({ ink: 'black', color: 'green' });
  });

  it('lend their sources, with packages of their own', async () => {
    write('shared/package.json', '{ "name": "shared" }');
    write('shared/src/index.ts', "import { ink } from 'ink'; export const dark = ink;");
    write('shared/src/old.cjs', "exports.old = require('ink').ink;");
    write(
      'app/src/all.ts',
      "import c from '../../shared/src/old.cjs'; export * from '../../shared/src/index.js'; export const { old } = c;",
    );
    expect(await exportsOf('src/all.ts', 'app')).toEqual({ dark: 'black', old: 'black' });
  });
});

it('a package that is missing is missed when it is needed', async () => {
  write('package.json', '{ "type": "module" }');
  write('src/all.ts', "export const found = await import('nowhere').catch(({ code }) => code);");
  expect(await exportsOf('src/all.ts')).toEqual({ found: 'ERR_MODULE_NOT_FOUND' });
});

it('a source has what it declares itself, as modules do that make up for what CommonJS has', async () => {
  write('package.json', '{}');
  write(
    'src/all.ts',
    `import { createRequire } from 'node:module';
     import { dirname } from 'node:path';
     import { fileURLToPath } from 'node:url';
     const require = createRequire(import.meta.url);
     const __filename = fileURLToPath(import.meta.url), __dirname = dirname(__filename);
     export const found = [require('paint').color, __filename, __dirname];`,
  );
  expect(await exportsOf('src/all.ts')).toEqual({ found: ['green', join(folder, 'src/all.ts'), join(folder, 'src')] });
});

it('a module has no __dirname, as it has none when it is run as it is', async () => {
  write('package.json', '{ "type": "module" }');
  write('src/all.ts', 'export const kind = typeof __dirname;');
  expect(await exportsOf('src/all.ts')).toEqual({ kind: 'undefined' });
});

it('a source whose name differs in capitals alone is told of in the words of the compiler', async () => {
  write('package.json', '{ "type": "module" }');
  write('src/part.ts', 'export const part = 1;');
  write('src/all.ts', "export { part } from './Part.js';");
  const error = (await exportsOf('src/all.ts').catch((each) => each)) as Error;
  expect(error.message).toContain('src/all.ts:1:21');
  expect(error.message).not.toContain('plugin');
});

it('a package.json that cannot be read is named', async () => {
  write('package.json', '{ "type": ');
  write('src/all.ts', 'export {};');
  await expect(exportsOf('src/all.ts')).rejects.toThrow(`reading ${join(folder, 'package.json')} failed`);
});
