import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { foldersOf, samplesIn } from '../../../src/cli/dev/samples-in.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kilter-samples-'));
  mkdirSync(join(folder, 'below'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const manifest = (kind: string, name: string) => `{apiVersion: v1, kind: ${kind}, metadata: {name: ${name}}}\n`;
const names = async (path: string) =>
  (await samplesIn(path)).map(({ manifest: { kind, metadata } }) => `${kind}/${metadata.name}`);

describe('samples', () => {
  it('are all manifests of a folder and of those below it, what others need first', async () => {
    write('a.yaml', `${manifest('Pod', 'a')}---\n${manifest('Namespace', 'ns')}---\n`);
    write('below/b.yml', manifest('CustomResourceDefinition', 'c'));
    write('below/d.json', '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"d"}}');
    write('README.md', '# no manifest');
    expect(await names(folder)).toEqual(['Namespace/ns', 'CustomResourceDefinition/c', 'Pod/a', 'Pod/d']);
    expect(await foldersOf(folder)).toEqual([folder, join(folder, 'below')]);
  });

  it('are those of one file, and what is in a List', async () => {
    write('list.yaml', `apiVersion: v1\nkind: List\nitems:\n- ${manifest('Pod', 'a')}- ${manifest('Pod', 'b')}`);
    expect(await names(join(folder, 'list.yaml'))).toEqual(['Pod/a', 'Pod/b']);
    expect(await foldersOf(join(folder, 'list.yaml'))).toEqual([folder]);
  });

  it('say what they say to kubectl', async () => {
    const values = {
      yes: true,
      '0644': 0o644,
      '0o644': 0o644,
      '-0o10': -8,
      '1:30': '1:30',
      '2020-01-01': '2020-01-01',
    };
    const spec = Object.keys(values).map((text, index) => `  v${index}: ${text}\n`);
    write(
      'a.yaml',
      `apiVersion: v1\nkind: Pod\nmetadata: {name: a, labels: &x {a: b}}\nmore: {<<: *x}\nspec:\n${spec.join('')}`,
    );
    const [sample] = await samplesIn(folder);
    expect(Object.values(sample?.manifest['spec'] as object)).toEqual(Object.values(values));
    expect(sample?.manifest['more']).toEqual({ a: 'b' });
  });

  it.each([
    ['{', 'document 1 of', 'cannot be read'],
    ['kind: Pod', 'document 1 of', 'is no manifest'],
    [`${manifest('Pod', 'a')}---\njust words`, 'document 2 of', 'is no manifest'],
    ['a: *nowhere', 'document 1 of', 'cannot be read'],
    ['{apiVersion: v1, kind: Pod, metadata: a}', 'document 1 of', 'is no manifest'],
    [
      `{kind: List, items: [${manifest('Pod', 'a')}, null]}`.replaceAll('\n', ''),
      'items\\[1\\] of document 1 of',
      'is no manifest',
    ],
  ])('are refused where they are none: %j', async (text, subject, what) => {
    write('a.yaml', text);
    await expect(samplesIn(folder)).rejects.toThrow(new RegExp(`^${subject} .*a\\.yaml ${what}`));
  });

  it('are refused with the place of what cannot be read, at the end of a line', async () => {
    write('a.yaml', 'kind: Pod\nspec: a: b\n');
    await expect(samplesIn(folder)).rejects.toThrow(/cannot be read: .* at line 2, column 7$/);
  });

  it('are known by the files that they are in', async () => {
    write('below/a.yaml', manifest('Pod', 'a'));
    expect(await samplesIn(folder)).toMatchObject([{ file: join(folder, 'below/a.yaml') }]);
  });

  it('are in a folder that is called as a file is, too', async () => {
    mkdirSync(join(folder, 'x.yaml'));
    write('x.yaml/a.yaml', manifest('Pod', 'a'));
    write('y.yaml', manifest('Pod', 'z'));
    expect(await names(folder)).toEqual(['Pod/a', 'Pod/z']);
  });

  it('are refused by name where a file cannot be read', async () => {
    symlinkSync('absent', join(folder, 'a.yaml'));
    await expect(samplesIn(folder)).rejects.toMatchObject({
      message: `reading the sample ${join(folder, 'a.yaml')} failed`,
      cause: expect.objectContaining({ code: 'ENOENT' }),
    });
  });

  it('are refused where there is nothing', async () => {
    await expect(samplesIn(join(folder, 'absent'))).rejects.toThrow(/^reading the samples .*absent failed$/);
  });
});
