import { type FieldProblem, problem, problemWithoutValue } from '../../../schema/field-problem.js';
import type { ColumnDefinition, DefinitionVersion } from '../custom-definition.js';

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

export function columnProblems(column: Partial<ColumnDefinition>, path: string): readonly FieldProblem[] {
  const found: FieldProblem[] = [];
  const { name, type, format, jsonPath } = column;
  if (!name) found.push(problemWithoutValue('FieldValueRequired', `${path}.name`));
  const types = `must be one of ${columnTypes.join(',')}`;
  if (!type) found.push(problemWithoutValue('FieldValueRequired', `${path}.type`, types));
  else if (!columnTypes.includes(type)) found.push(problem('FieldValueInvalid', `${path}.type`, type, types));
  if (format && !columnFormats.includes(format)) {
    found.push(problem('FieldValueInvalid', `${path}.format`, format, `must be one of ${columnFormats.join(',')}`));
  }
  if (!jsonPath) found.push(problemWithoutValue('FieldValueRequired', `${path}.JSONPath`));
  else found.push(...pathProblems(jsonPath, `${path}.JSONPath`));
  return found;
}

export function subresourceProblems(
  subresources: DefinitionVersion['subresources'],
  path: string,
): readonly FieldProblem[] {
  const scale = subresources?.scale;
  if (!scale) return [];
  return [
    ...replicasPathProblems(scale.specReplicasPath, '.spec', `${path}.scale.specReplicasPath`),
    ...replicasPathProblems(scale.statusReplicasPath, '.status', `${path}.scale.statusReplicasPath`),
    ...selectorPathProblems(scale.labelSelectorPath, `${path}.scale.labelSelectorPath`),
  ];
}

function replicasPathProblems(value: string | undefined, root: string, path: string): readonly FieldProblem[] {
  if (!value) return [problemWithoutValue('FieldValueRequired', path)];
  const found = pathProblems(value, path);
  if (found.length > 0 || value.startsWith(`${root}.`)) return found;
  return [problem('FieldValueInvalid', path, value, `should be a json path under ${root}`)];
}

function selectorPathProblems(value: string | undefined, path: string): readonly FieldProblem[] {
  if (!value) return [];
  const found = pathProblems(value, path);
  if (found.length > 0 || value.startsWith('.spec.') || value.startsWith('.status.')) return found;
  return [problem('FieldValueInvalid', path, value, 'should be a json path under either .spec or .status')];
}

function pathProblems(value: string, path: string): readonly FieldProblem[] {
  if (value.startsWith('.')) return [];
  return [problem('FieldValueInvalid', path, value, 'must be a simple json path starting with .')];
}

export function deprecationProblems(
  { deprecated = false, deprecationWarning }: Partial<DefinitionVersion>,
  path: string,
): readonly FieldProblem[] {
  if (deprecationWarning === undefined) return [];
  const faults: string[] = [];
  if (!deprecated) faults.push('can only be set for deprecated versions');
  else {
    if (Buffer.byteLength(deprecationWarning) > 256) faults.push('must be <= 256 characters long');
    if (deprecationWarning === '') faults.push('must not be an empty string');
    const at = unprintableAt(deprecationWarning);
    if (at !== undefined) {
      faults.push(`must only contain printable UTF-8 characters; non-printable character found at index ${at}`);
    }
  }
  return faults.map((fault) => problem('FieldValueInvalid', `${path}.deprecationWarning`, deprecationWarning, fault));
}

/** Counted in bytes. */
function unprintableAt(text: string): number | undefined {
  const match = /[^\P{C}]|(?! )\p{Z}/u.exec(text);
  return match ? Buffer.byteLength(text.slice(0, match.index)) : undefined;
}
