import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
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
async function exportsOf(entry: string): Promise<unknown> {
  const bundler = new Bundler({ entry: join(folder, entry), root: folder, folder: join(folder, 'out'), colors: false });
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
