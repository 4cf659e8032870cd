import type { DefinitionFault } from './definition-fault.js';
import { showProblem } from './field-problem.js';
import { isKnownFormat } from './formats.js';
import { patternFault } from './pattern.js';
import type { StructuralSchema } from './structural.js';
import { validateValue } from './validate-value.js';

const counts = [
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

/** Limits of one schema that are malformed or contradict each other. */
export function limitFaults(schema: StructuralSchema, path: string): DefinitionFault[] {
  return [
    ...patternFaults(schema, path),
    ...countFaults(schema, path),
    ...rangeFaults(schema, path),
    ...enumFaults(schema, path),
  ];
}

function patternFaults({ pattern }: StructuralSchema, path: string): DefinitionFault[] {
  const fault = pattern === undefined ? undefined : patternFault(pattern);
  if (fault === undefined) return [];
  return [
    {
      path: `${path}.pattern`,
      message: `"${pattern}" must be a valid regular expression, but isn't: ${fault}`,
      hint: "the API server matches with Go's regexp (RE2), which has no look-around and no back-references",
    },
  ];
}

function countFaults(schema: StructuralSchema, path: string): DefinitionFault[] {
  const malformed = counts.flat().flatMap((key) => {
    const limit = schema[key];
    const isCount = limit === undefined || (Number.isSafeInteger(limit) && limit >= 0);
    return isCount ? [] : [oursAlone(`${path}.${key}`, `${limit} must be a whole number of at least 0`)];
  });
  const contrary = counts.flatMap(([least, most]) =>
    (schema[least] ?? 0) > (schema[most] ?? Number.POSITIVE_INFINITY)
      ? [
          oursAlone(
            `${path}.${least}`,
            `${schema[least]} is more than ${most} ${schema[most]}, so no value can be valid`,
          ),
        ]
      : [],
  );
  return [...malformed, ...contrary];
}

function rangeFaults(schema: StructuralSchema, path: string): DefinitionFault[] {
  const { minimum, maximum, multipleOf, exclusiveMinimum, exclusiveMaximum } = schema;
  const found: DefinitionFault[] = [];
  for (const key of ['minimum', 'maximum', 'multipleOf'] as const) {
    const limit = schema[key];
    if (limit === undefined) continue;
    if (!Number.isFinite(limit)) found.push(oursAlone(`${path}.${key}`, `${limit} must be a finite number`));
    else if (schema.type === 'integer' && !fits(limit, schema.format)) {
      const message = `${limit} must be a whole number that ${schema.format} and a JavaScript number hold exactly`;
      const hint =
        schema.format === 'int64' ? 'use s.quantity, or s.string with a pattern, for larger ones' : undefined;
      found.push({ ...oursAlone(`${path}.${key}`, message), hint });
    }
  }
  if (multipleOf !== undefined && multipleOf <= 0) {
    found.push(oursAlone(`${path}.multipleOf`, `${multipleOf} must be more than 0`));
  }
  if (schema.type === 'number' && multipleOf !== undefined && !Number.isInteger(multipleOf)) {
    found.push(
      oursAlone(`${path}.multipleOf`, `${multipleOf} makes the API server refuse or misjudge every whole number`),
    );
  }
  if (found.length === 0) {
    for (const key of ['minimum', 'maximum', 'multipleOf'] as const) {
      const limit = schema[key];
      // From 2^63 on the server, which compares whole numbers with whole numbers, even takes a limit for the least of all.
      if (limit === undefined || isExact(limit)) continue;
      const hint = 'leave it out, or write one between -2^53 and 2^53';
      found.push({ ...oursAlone(`${path}.${key}`, `${limit} ${inexact}`), hint });
    }
  }
  const isEmpty =
    minimum !== undefined &&
    maximum !== undefined &&
    (minimum > maximum || (minimum === maximum && (exclusiveMinimum || exclusiveMaximum)));
  if (isEmpty) {
    found.push(oursAlone(`${path}.minimum`, `no value can be valid between minimum ${minimum} and maximum ${maximum}`));
  }
  for (const [flag, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (schema[flag] && schema[limit] === undefined) {
      found.push(oursAlone(`${path}.${flag}`, `means nothing without ${limit}`));
    }
  }
  return found;
}

function fits(limit: number, format: string | undefined): boolean {
  return Number.isSafeInteger(limit) && (format !== 'int32' || (limit >= -(2 ** 31) && limit < 2 ** 31));
}

function enumFaults(schema: StructuralSchema, path: string): DefinitionFault[] {
  const found: DefinitionFault[] = [];
  if (schema.enum?.length === 0) found.push(oursAlone(`${path}.enum`, 'must name at least one value'));
  const { enum: choices = [], ...rest } = schema;
  for (const choice of choices) {
    const [problem] = validateValue(rest, choice, 'enum');
    if (problem === undefined) {
      if (!isExact(choice)) found.push(oursAlone(`${path}.enum`, `${choice} ${inexact}`));
      continue;
    }
    const why = `${JSON.stringify(choice)} can never be chosen: ${showProblem({ ...problem, path: '' })}`;
    found.push(oursAlone(`${path}.enum`, why));
  }
  if (schema.enum && schema.nullable) {
    found.push(oursAlone(`${path}.nullable`, 'has no effect: the API server refuses null wherever there is an enum'));
  }
  if (schema.format !== undefined && !isKnownFormat(schema)) {
    found.push(oursAlone(`${path}.format`, `"${schema.format}" is not a format that the API server enforces`));
  }
  return found;
}

/** What a definition with such a number could not be rendered for. */
export const inexact = 'is an integer beyond 2^53, where not every integer exists';

/** False for what JavaScript takes for an integer and may have rounded. */
export function isExact(value: unknown): boolean {
  return !Number.isInteger(value) || Number.isSafeInteger(value);
}

function oursAlone(path: string, message: string): DefinitionFault {
  return { path, message, oursAlone: true };
}
