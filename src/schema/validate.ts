import { ruleProblems } from './cel/rule-problems.js';
import { withDefaults } from './defaults.js';
import { type FieldProblem, keepsFromRules } from './field-problem.js';
import { duplicates } from './list-types.js';
import type { StructuralSchema } from './structural.js';
import { metaFields, unknownFields } from './unknown-fields.js';
import { validateValue } from './validate-value.js';

/** Where a value stands and what it replaces. */
export interface ValidationContext {
  /** `spec`; empty for a whole object. */
  readonly path?: string;
  /** The value before an update. Absent when the object is being created. */
  readonly old?: unknown;
  /** True for a whole object: `apiVersion`, `kind` and `metadata` belong to it without being in its schema. */
  readonly isObject?: boolean;
}

/**
 * The API server's verdict on a value under strict field validation, in its words: unknown fields first and alone; then
 * types, limits and duplicates; then the CEL rules, unless what came before makes them pointless.
 */
export function validate(schema: StructuralSchema, value: unknown, context: ValidationContext = {}): FieldProblem[] {
  const { path = '', old, isObject = false } = context;
  const unknown = unknownFields(schema, isObject ? withoutMeta(value) : value, path);
  if (unknown.length > 0) return unknown;

  const stored = withDefaults(schema, value);
  const before = old === undefined ? undefined : { old };
  // What was there already is not held against an update: not what stays as it was, nor items that were repeated before.
  const repeated = before && duplicates(schema, old, path).length > 0 ? [] : duplicates(schema, stored, path);
  const found = [...validateValue(schema, stored, path, before), ...repeated];
  if (found.some(keepsFromRules)) return found;
  return [...found, ...ruleProblems(schema, stored, { path, old, isResourceRoot: isObject })];
}

/**
 * The verdict on a whole object of a custom resource, given the schema of its version (`openAPIV3Schema`).
 *
 * As on the server, `status` is not looked at when an object is created or replaced: it has its own subresource.
 * `metadata` is the business of whoever knows the resource.
 */
export function validateObject(
  schema: StructuralSchema,
  object: Readonly<Record<string, unknown>>,
  { old }: { readonly old?: Readonly<Record<string, unknown>> } = {},
): FieldProblem[] {
  const unknown = unknownFields(schema, withoutMeta(object), '');
  if (unknown.length > 0) return unknown;
  const { status: _, ...created } = object;
  return validate(schema, created, { isObject: true, ...(old === undefined ? {} : { old }) });
}

function withoutMeta(object: unknown): unknown {
  if (object === null || typeof object !== 'object') return object;
  return Object.fromEntries(Object.entries(object).filter(([name]) => !metaFields.has(name)));
}
