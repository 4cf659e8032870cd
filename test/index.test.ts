import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { packageRoot } from './cluster/package-root.js';

/** Every name is a commitment to authors: adding one is a decision, taking one away breaks somebody. */
const values = [
  'OperatorError',
  'TerminalError',
  'TypedObject',
  'customResource',
  'labelSelector',
  'labelValue',
  'many',
  'one',
  'operator',
  'optional',
  's',
];
const types = [
  'AdmissionPolicy',
  'Condition',
  'CustomResource',
  'CustomResourceClass',
  'CustomResourceOf',
  'DriftInput',
  'DriftMode',
  'DriftRule',
  'ExternalCall',
  'ExternalOf',
  'FieldProblem',
  'In',
  'KubeObject',
  'Manifest',
  'MetadataProps',
  'Observed',
  'Operator',
  'Out',
  'OwnedKind',
  'Props',
  'Schema',
  'SensitiveField',
  'StructuralSchema',
  'TypedClass',
  'TypedOperator',
  'TypedRead',
];

describe('what authors can import', () => {
  const text = readFileSync(join(packageRoot, 'src/index.ts'), 'utf8');
  const statement = /^export (type )?\{([^}]*)\} from '[^']+';\n/gm;
  const exported = (isType: boolean) =>
    [...text.matchAll(statement)]
      .filter(([, type]) => (type !== undefined) === isType)
      .flatMap(([, , names]) => names!.split(',').map((name) => name.trim()))
      .filter((name) => name !== '')
      .map((name) => name.replace(/^.* as /, ''))
      .sort();

  it('is a list of names, each from one file', () => {
    expect(
      text
        .replace(statement, '')
        .replace(/^(\/\*\*[\s\S]*?\*\/|\/\/.*)$/gm, '')
        .trim(),
    ).toBe('');
    expect(text).not.toMatch(/\{[^}]*\btype [^}]*\}/);
  });

  it('is these values', async () => {
    expect(exported(false)).toEqual(values);
    expect(Object.keys(await import('../src/index.js')).sort()).toEqual(values);
  });

  it('is these types', () => {
    expect(exported(true)).toEqual(types);
  });
});
