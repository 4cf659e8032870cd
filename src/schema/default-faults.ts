import { ruleProblems } from './cel/rule-problems.js';
import type { DefinitionFault } from './definition-fault.js';
import { type FieldProblem, isRefusal, showProblem } from './field-problem.js';
import { inexact, isExact } from './limit-faults.js';
import { duplicates } from './list-types.js';
import type { StructuralSchema } from './structural.js';
import { unknownFields } from './unknown-fields.js';
import { validateValue } from './validate-value.js';

/** Why the default of a schema is not a valid value of it. */
export function defaultFaults(schema: StructuralSchema, path: string): DefinitionFault[] {
  const value = schema.default;
  if (value === undefined) return [];
  if (value === null) {
    const message = 'null is no default to the API server, which drops it';
    return [{ path: `${path}.default`, message, hint: 'say optional and nullable instead', oursAlone: true }];
  }
  if (!isJson(value)) {
    const hint = 'write plain data: strings, finite numbers, booleans, lists and maps';
    return [{ path: `${path}.default`, message: 'JSON cannot say it', hint, oursAlone: true }];
  }
  const rounded = inexactIn(value);
  if (rounded !== undefined) {
    const hint = 'write it as a text, in an s.string';
    return [{ path: `${path}.default`, message: `${rounded} ${inexact}`, hint, oursAlone: true }];
  }
  // As on the server, defaults of fields inside are not filled in first: a default stands for itself.
  const invalid = [
    ...validateValue(schema, value, 'default'),
    // The server hands rules the default as what it replaces, and lets it pass none of them for being unchanged.
    ...ruleProblems(schema, value, { path: 'default', old: value, isResourceRoot: false, judgesUnchanged: true }),
  ].filter(isRefusal);
  const unknown = unknownFields(schema, value, 'default').map((problem) => ({
    path: `${path}.default`,
    message: `must not have unknown fields: ${showProblem(problem)}`,
  }));
  // The server does not look for repeated items, nor at defaults in the values of a map, and then refuses what it filled in.
  const repeated = duplicates(schema, value, 'default');
  const alone = path.includes('.additionalProperties') ? { oursAlone: true as const } : {};
  return [
    ...unknown.map((fault) => ({ ...fault, ...alone })),
    ...invalid.map((problem) => ({ ...faultOf(problem, path, schema), ...alone })),
    ...repeated.map((problem) => ({ ...faultOf(problem, path, schema), oursAlone: true as const })),
  ];
}

function isJson(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isJson);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return ['string', 'boolean', 'object'].includes(typeof value);
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  // An undefined is left out when it is rendered.
  return isPlain && Object.values(value).every((each) => each === undefined || isJson(each));
}

function inexactIn(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return isExact(value) ? undefined : value;
  return Object.values(value)
    .map(inexactIn)
    .find((each) => each !== undefined);
}

function faultOf(
  { path: at, message }: FieldProblem,
  path: string,
  { properties = {} }: StructuralSchema,
): DefinitionFault {
  const [, key = ''] = /: no such key: (\S+) evaluating rule/.exec(message) ?? [];
  const hint =
    properties[key]?.default === undefined
      ? 'give a default that is itself a valid value'
      : `say ${key} in this default, too: its rules are asked before the defaults of its fields are filled in`;
  return { path: `${path}.${at}`, message, hint };
}
