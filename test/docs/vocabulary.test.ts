import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import * as vocabulary from '../../src/index.js';
import { packageRoot } from '../cluster/package-root.js';

const read = (file: string) => readFileSync(join(packageRoot, file), 'utf8');
const page = read('docs/your-own.md');

/** What stands under a heading of the page. */
const section = (heading: string) => page.split(`\n### ${heading}`)[1]?.split(/\n##/)[0] ?? '';

/** The words in the first cells of the tables under a heading. */
const rowsOf = (heading: string) =>
  [...section(heading).matchAll(/^\| (`.*?`) \| /gm)].flatMap(([, cell = '']) => wordsIn(cell));

const wordsIn = (cell: string) => [...cell.matchAll(/`([\w.]+)/g)].map(([, word = '']) => word);

/** The members of an interface that an author writes. */
function membersOf(file: string, name: string): readonly string[] {
  const [, body = ''] = new RegExp(`^(?:export )?interface ${name}\\b[\\s\\S]*?\\{\\n([\\s\\S]*?)^\\}`, 'm').exec(
    read(file),
  )!;
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map(([, member = '']) => member);
}

describe('the vocabulary of authors, on the page about an operator of your own', () => {
  it.each([
    [
      'Kinds',
      'src/resource/custom-resource.ts',
      'CustomResourceInput',
      ['src/resource/resource-names.ts', 'NamesInput'],
    ],
    ['Operators', 'src/compose/operator-input.ts', 'OperatorInput', undefined],
    ['Installs', 'src/install/install-props.ts', 'OperatorInstallProps', undefined],
  ] as const)('has every option of %s, and no other', (heading, file, name, more) => {
    const options = [...membersOf(file, name), ...(more ? membersOf(...more) : [])];
    expect(options.length).toBeGreaterThan(8);
    expect([...rowsOf(heading)].sort()).toEqual([...options].sort());
  });

  it('has every sort of field, and no other', () => {
    const common = membersOf('src/schema/options.ts', 'CommonOptions');
    expect(common).toContain('optional');
    const expected = [...Object.keys(vocabulary.s).map((name) => `s.${name}`), ...common];
    expect([...rowsOf('Fields')].sort()).toEqual(expected.sort());
  });

  it.each([
    ['string', 'string', 'StringOptions'],
    ['int32', 'number', 'NumberOptions'],
    ['quantity', 'int-or-string', 'QuantityOptions'],
    ['intOrString', 'int-or-string', 'IntOrStringOptions'],
    ['object', 'object', 'ObjectOptions'],
    ['map', 'map', 'MapOptions'],
    ['array', 'list', 'ListOptions'],
    ['set', 'list', 'ListOptions'],
  ])('has every option of s.%s', (name, file, options) => {
    const [row = ''] = new RegExp(`^\\| \`s\\.${name}\\(.*$`, 'm').exec(section('Fields'))!;
    const own = membersOf(`src/schema/${file}.ts`, options).filter((option) => option !== 'default');
    expect(own.length).toBeGreaterThan(0);
    expect(wordsIn(row.split(' | ').slice(2).join())).toEqual(expect.arrayContaining(own));
  });

  it('has every name that can be imported', () => {
    const names = Object.keys(vocabulary).filter((name) => !new RegExp(`\`(?:new )?${name}\\b`).test(page));
    expect(names).toEqual([]);
  });

  it('has every entry of the package', () => {
    const { exports } = JSON.parse(read('package.json')) as { readonly exports: Readonly<Record<string, unknown>> };
    const names = Object.keys(exports).map((path) => `\`${path.replace('.', 'kilter')}\``);
    expect(names.filter((name) => !page.includes(name))).toEqual([]);
  });
});
