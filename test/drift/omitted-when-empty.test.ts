import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { omittedWhenEmpty } from '../../src/drift/omitted-when-empty.js';
import { typeData } from '../../src/embedded/built-in/type-data.js';
import type { TypeData, TypeRecord } from '../../src/embedded/built-in/type-record.js';
import { packageRoot } from '../cluster/package-root.js';

const { kinds, types } = JSON.parse(typeData) as TypeData;
const file = join(packageRoot, 'src/drift/omitted-when-empty.ts');

/** The names of fields, in what one can write of any built-in kind, that are not stored where they are empty. */
function names(): string[] {
  const found = new Set<string>();
  const seen = new Set<number>();
  const visit = (index: number, isRoot: boolean): void => {
    if (seen.has(index)) return;
    seen.add(index);
    const { elem, fields = {} } = types[index] as TypeRecord;
    if (elem !== undefined) visit(elem, false);
    for (const [name, [type, flags]] of Object.entries(fields)) {
      if (isRoot && /^(status|kind|apiVersion)$/.test(name)) continue;
      // Of lists none is told apart: an empty one has nothing that could be removed.
      if (types[type]?.kind !== 'list' && /[ez]/.test(flags) && !isPointer(type, flags)) found.add(name);
      visit(type, false);
    }
  };
  for (const { verbs, type } of kinds) if (verbs.includes('create') && verbs.includes('list')) visit(type, true);
  return [...found].sort();
}

/** What omitempty keeps however empty it is: where a pointer points, and a struct. */
const isPointer = (type: number, flags: string) =>
  flags.includes('p') || (types[type]?.kind === 'struct' && !flags.includes('z'));

describe('the names of fields that are not stored where they are empty', () => {
  it('are those of the types of Kubernetes', () => {
    const wanted = names();
    if (process.env['UPDATE_GOLDEN']) {
      const text = readFileSync(file, 'utf8');
      const start = text.indexOf('wordsOf(`') + 'wordsOf(`'.length + 1;
      writeFileSync(file, `${text.slice(0, start)}${lines(wanted)}\n${text.slice(text.indexOf('`);'))}`);
    }
    expect([...omittedWhenEmpty].sort()).toEqual(wanted);
  });

  it.each([
    ['value', true],
    ['labels', true],
    ['hostNetwork', true],
    ['automountServiceAccountToken', false],
    ['allowPrivilegeEscalation', false],
    ['emptyDir', false],
    ['terminationGracePeriodSeconds', false],
  ])('have %s: %j', (name, isIn) => {
    expect(omittedWhenEmpty.has(name)).toBe(isIn);
  });
});

function lines(words: readonly string[]): string {
  const all = [''];
  for (const word of words) {
    const line = all.at(-1) ?? '';
    if (line.length + word.length > 118) all.push(word);
    else all[all.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return all.join('\n');
}
