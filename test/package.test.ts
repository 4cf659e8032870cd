import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Author } from './cli/dev/author.js';
import { packageRoot } from './cluster/package-root.js';
import { type CompiledPackage, compilePackage } from './compiled-package.js';

interface Entry {
  readonly types: string;
  readonly default: string;
}

const { exports, files, dependencies, scripts } = JSON.parse(
  readFileSync(join(packageRoot, 'package.json'), 'utf8'),
) as {
  readonly exports: Readonly<Record<string, Entry>>;
  readonly files: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
};
const entries = Object.entries(exports);

describe('the package, as an author installs it', () => {
  let kilter: CompiledPackage;
  let author: Author;
  beforeAll(async () => {
    kilter = await compilePackage();
    author = new Author(kilter.folder);
  });
  afterAll(() => {
    author.remove();
    kilter.remove();
  });

  /** What a module of the author's prints, as JSON. */
  const printed = async (code: string): Promise<unknown> => {
    author.write('program.mjs', code);
    const { stdout } = await promisify(execFile)(process.execPath, ['program.mjs'], { cwd: author.folder });
    return JSON.parse(stdout);
  };

  it.each(entries)('holds the types and the code of %s', async (path, { types, default: code }) => {
    expect(existsSync(join(packageRoot, types.replace('./build/', '').replace(/\.d\.ts$/, '.ts')))).toBe(true);
    expect(existsSync(join(kilter.folder, code))).toBe(true);
    expect(files).toContain('build/package');
    const name = path.replace('.', 'kilter');
    const names = await printed(`console.log(JSON.stringify(Object.keys(await import('${name}'))));`);
    expect((names as unknown[]).length).toBeGreaterThan(0);
  });

  it('is one kilter, whichever entry is used', async () => {
    const facts = await printed(`
      import { OperatorError } from 'kilter';
      import { Deployment } from 'kilter/imports/k8s';
      import { startCluster } from 'kilter/testing';
      const cluster = await startCluster();
      const error = await cluster.get(Deployment, 'absent').catch((each) => each);
      console.log(JSON.stringify({ isKnown: error instanceof OperatorError, message: error.message }));
      await cluster.stop();
    `);
    expect(facts).toMatchObject({ isKnown: true, message: expect.stringContaining('Deployment/default/absent') });
  });

  it('needs what it says that it needs, and gives notice of what it holds', () => {
    const inputs = new Set(
      Object.keys(kilter.inputs).flatMap((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? []),
    );
    expect(inputs.size).toBeGreaterThan(0);
    for (const name of inputs) {
      expect(dependencies).not.toHaveProperty([name]);
      expect(scripts['build:notices']).toContain(`'${name}'`);
    }
    for (const name of Object.keys(dependencies)) expect(scripts['build:package']).toContain(` --external:${name} `);
  });

  it("has no character for which V8 would keep it, and an author's program with it, in twice the memory", () => {
    const folder = join(kilter.folder, 'build/package');
    const texts = readdirSync(folder).filter((file) => file.endsWith('.js'));
    expect(texts).toContain('kilter.js');
    expect(texts.filter((file) => /[^\0-\x7f]/.test(readFileSync(join(folder, file), 'utf8')))).toEqual([]);
  });

  it('begins a test from less than a tenth as many files as it is written in, for each of which a test waits', () => {
    const loaded = new Set<string>();
    const load = (file: string) => {
      if (loaded.has(file)) return;
      loaded.add(file);
      const text = readFileSync(file, 'utf8');
      for (const [, from = ''] of text.matchAll(/^(?:import |export |\} ).*?"(\.[^"]+)";$/gm))
        load(join(file, '..', from));
    };
    load(join(kilter.folder, exports['./testing']!.default));
    expect(loaded.size).toBeGreaterThan(1);
    expect(loaded.size).toBeLessThan(Object.keys(kilter.inputs).length / 10);
  });
});
