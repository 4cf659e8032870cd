import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { builtInKinds, notServed } from '../../src/embedded/built-in/built-in-kinds.js';
import { unenforced } from '../../src/embedded/kinds/unenforced.js';
import type { KubeObject } from '../../src/kube/manifest.js';
import { packageRoot } from '../cluster/package-root.js';
import { Cache } from './a-kind-with-a-past.js';
import { web } from './an-operator-with-drift-rules.js';

const read = (file: string) => readFileSync(join(packageRoot, file), 'utf8');

const cache = { kind: 'Cache', metadata: { name: 'a' }, spec: { replicas: 2 } } as unknown as KubeObject;

/** The headings of a page, as GitHub spells them in an address. */
const headingsOf = (text: string) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

/** As an author imports what stands in this repository. */
function asAuthor(code: string): string {
  return code
    .replace("'../../imports/k8s.js'", "'kilter/imports/k8s'")
    .replace("'../../src/operators/memcached.js'", "'./memcached.js'")
    .replace("'../../src/testing/index.js'", "'kilter/testing'");
}

describe('the pages of the documentation', () => {
  const pages = readdirSync(join(packageRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`);

  it.each(pages)('%s links only to files that there are', (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, path]) => path as string);
    for (const link of links) expect(() => read(join(dirname(page), link))).not.toThrow(/ENOENT/);
  });

  it.each(pages)('%s links only to headings that there are', (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)];
    const missing = links.filter(([, path, heading]) => {
      const text = read(path ? join(dirname(page), path) : page);
      return !headingsOf(text).includes(heading as string);
    });
    expect(missing.map(([link]) => link)).toEqual([]);
  });

  it('show a test of an operator that runs, to the letter', () => {
    const [block = ''] = [...read('docs/testing.md').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code);
    expect(block).toBe(asAuthor(read('test/docs/testing-an-operator.test.ts')));
  });

  it('show how jest loads the package as this repository does', () => {
    const configOf = (code: string): object => new Function(code.replace('export default', 'return'))() as object;
    const [block = ''] = [...read('docs/testing.md').matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code);
    expect(configOf(block)).toHaveProperty('transform');
    expect(configOf(read('jest.config.js'))).toMatchObject(configOf(block));
  });

  it('show a kind of two versions that compiles, to the letter', () => {
    const [block = ''] = [...read('docs/versions.md').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code);
    expect(block).toBe(read('test/docs/a-kind-with-a-past.ts').replace("'../../src/index.js'", "'kilter'"));
    expect(Cache.convert({ ...cache, apiVersion: 'cache.example.com/v1beta1' }, Cache.apiVersion)['spec']).toEqual({
      size: 2,
      image: 'memcached:1.6-alpine',
    });
  });

  it('show rules about drift that hold, to the letter', () => {
    const [block = ''] = [...read('docs/drift.md').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code);
    const code = asAuthor(read('test/docs/an-operator-with-drift-rules.ts')).replace(
      "'../../src/index.js'",
      "'kilter'",
    );
    expect(block).toBe(code);
    expect(web.drift.rules).toHaveLength(3);
  });

  it('name every kind that the embedded API server does not serve, or does not let write', () => {
    const page = read('docs/embedded.md');
    const kindOf = new Map(builtInKinds().map(({ storage, kind }) => [storage, kind]));
    const names = [...Object.keys(notServed), ...Object.keys(unenforced).map((storage) => kindOf.get(storage))];
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});
