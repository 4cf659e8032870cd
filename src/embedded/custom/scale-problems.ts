import type { Json } from '../../kube/manifest.js';
import { type FieldProblem, problem } from '../../schema/field-problem.js';
import { isGoInteger } from '../../schema/go-format.js';
import { replicasProblems } from '../../schema/replicas-problems.js';
import { goTypeOf, goValue } from '../patch/go-value.js';
import type { ScaleDefinition } from './custom-definition.js';

/** `.spec.replicas` as a list of fields. */
export function fieldsOf(path: string): readonly string[] {
  return path.replace(/^\./, '').split('.');
}

/** What is wrong with the number of replicas that somebody wishes for. */
export function scaleSpecProblems(object: Json, { specReplicasPath }: ScaleDefinition): readonly FieldProblem[] {
  return replicasAt(object, specReplicasPath);
}

export function scaleStatusProblems(object: Json, scale: ScaleDefinition): readonly FieldProblem[] {
  const found = [...replicasAt(object, scale.statusReplicasPath)];
  const { labelSelectorPath } = scale;
  if (labelSelectorPath === undefined) return found;
  const selector = at(object, labelSelectorPath, 'string');
  if (selector.fault !== undefined) found.push(problem('FieldValueInvalid', labelSelectorPath, '', selector.fault));
  return found;
}

function replicasAt(object: Json, path: string): readonly FieldProblem[] {
  const { value, fault } = at(object, path, 'int64');
  if (fault !== undefined) return [problem('FieldValueInvalid', path, 0, fault)];
  return typeof value === 'number' ? replicasProblems(path, value) : [];
}

interface Found {
  readonly value?: Json | undefined;
  readonly fault?: string;
}

/** The value at a path, or why it is not of the type, as Go puts it. */
function at(object: Json, path: string, type: 'int64' | 'string'): Found {
  let value: Json | undefined = object;
  const walked: string[] = [];
  for (const field of fieldsOf(path)) {
    if (value === null || value === undefined) return {};
    walked.push(field);
    if (typeof value !== 'object' || Array.isArray(value)) {
      return { fault: fault(walked, value, 'map[string]interface{}') };
    }
    if (!Object.hasOwn(value, field)) return {};
    value = (value as { readonly [name: string]: Json })[field];
  }
  const fits = type === 'string' ? typeof value === 'string' : typeof value === 'number' && isGoInteger(value);
  return fits ? { value } : { fault: fault(walked, value ?? null, type) };
}

function fault(fields: readonly string[], value: Json, expected: string): string {
  const type = value === null ? '<nil>' : goTypeOf(value);
  return `.${fields.join('.')} accessor error: ${goValue(value)} is of the type ${type}, expected ${expected}`;
}
