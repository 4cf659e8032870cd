import { Optional } from '@marcbachmann/cel-js';
import { type FieldProblem, problem, problemWithoutValue } from '../field-problem.js';
import { isUnchanged } from '../ratchet.js';
import { propertyOf, type StructuralSchema, type ValidationRule } from '../structural.js';
import { celError, noOverload } from './cel-error.js';
import { type CompiledRule, compiledRules } from './compiled-rule.js';
import { correlated } from './correlation.js';
import { normalizedFieldPath } from './field-path.js';

export interface RuleContext {
  readonly path: string;
  /** What the value replaces; undefined when there is nothing that corresponds to it. */
  readonly old: unknown;
  readonly isResourceRoot: boolean;
  /** The value above that does correspond to an old one, where this one cannot. */
  readonly nearest?: Correlated | undefined;
  /** True where a value that is as it was has to pass the rules nevertheless. Default: false. */
  readonly judgesUnchanged?: boolean;
}

interface Correlated {
  readonly schema: StructuralSchema;
  readonly value: unknown;
  readonly old: unknown;
}

/**
 * What the CEL rules of a schema, and of all schemas below it, say about a value.
 *
 * A rule about `oldSelf` runs only where there is an old value, unless it says `optionalOldSelf`. A rule that only the
 * server can evaluate gives a problem with the reason `UnknownOffline`, which names what it uses.
 */
export function ruleProblems(schema: StructuralSchema, value: unknown, context: RuleContext): FieldProblem[] {
  if (value === null || value === undefined || !hasRules(schema)) return [];
  const { path, old, judgesUnchanged = false } = context;
  const own = schema['x-kubernetes-validations'] ? ownProblems(schema, value, context) : [];
  const nearest = old === undefined || old === null ? context.nearest : { schema, value, old };
  const below = { isResourceRoot: false, nearest, judgesUnchanged };
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined
      ? own
      : [
          ...own,
          ...value.flatMap((item, index) =>
            ruleProblems(items, item, { ...below, path: `${path}[${index}]`, old: correlated(schema, item, old) }),
          ),
        ];
  }
  if (typeof value !== 'object') return own;
  return [
    ...own,
    ...Object.entries(value).flatMap(([name, child]) => {
      const property = propertyOf(schema, name);
      const childSchema = property ?? schema.additionalProperties;
      if (childSchema === undefined) return [];
      const childPath = property === undefined ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
      return ruleProblems(childSchema, child, { ...below, path: childPath, old: fieldOf(old, name) });
    }),
  ];
}

const rulesBelow = new WeakMap<StructuralSchema, boolean>();

function hasRules(schema: StructuralSchema): boolean {
  const known = rulesBelow.get(schema);
  if (known !== undefined) return known;
  const below = [schema.items, schema.additionalProperties, ...Object.values(schema.properties ?? {})];
  const found =
    schema['x-kubernetes-validations'] !== undefined || below.some((child) => child !== undefined && hasRules(child));
  rulesBelow.set(schema, found);
  return found;
}

function fieldOf(value: unknown, name: string): unknown {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

function ownProblems(schema: StructuralSchema, value: unknown, context: RuleContext): FieldProblem[] {
  const compiled = compiledRules(schema, context.isResourceRoot);
  return (compiled?.rules ?? []).flatMap((rule) => ruleProblem(schema, rule, value, context) ?? []);
}

function ruleProblem(
  schema: StructuralSchema,
  compiled: CompiledRule,
  value: unknown,
  { path, old, nearest, judgesUnchanged }: RuleContext,
): FieldProblem | undefined {
  const { rule, condition } = compiled;
  const hasOld = old !== undefined && old !== null;
  if (condition.state === 'faulty') return undefined;
  if (condition.usesOldSelf && !hasOld && !rule.optionalOldSelf) return undefined;
  // The server lets an unchanged value pass rules that came after it.
  if (!condition.usesOldSelf && !judgesUnchanged) {
    const unchanged = hasOld ? { schema, value, old } : nearest;
    if (unchanged && isUnchanged(unchanged.schema, unchanged.value, unchanged.old)) return undefined;
  }
  if (condition.state === 'unknown') {
    const message = `only the server can evaluate ${condition.because}, in rule: ${rule.rule}`;
    return { path, message, reason: 'UnknownOffline' };
  }

  const oldSelf = hasOld ? compiled.value(old) : undefined;
  const self = compiled.value(value);
  const broken = (because: string) => {
    const shown = rule.message?.trim() || rule.rule.trim();
    const detail =
      because === noOverload
        ? `'${noOverload}': call arguments did not match a supported operator, function or macro signature for rule: ${shown}`
        : `${because} evaluating rule: ${shown}`;
    return problem('FieldValueInvalid', path, schema.type ?? '', detail);
  };
  const variables = {
    self,
    ...(rule.optionalOldSelf
      ? { oldSelf: hasOld ? Optional.of(oldSelf) : Optional.none() }
      : hasOld
        ? { oldSelf }
        : {}),
  };
  try {
    if (condition.evaluate(variables) === true) return undefined;
  } catch (error) {
    return broken(celError(error));
  }
  return refusal(schema, rule, value, path, messageOf(compiled, variables));
}

function messageOf({ rule, message }: CompiledRule, variables: { readonly self: unknown }): string {
  const fallback = rule.message?.trim() || `failed rule: ${rule.rule.trim()}`;
  if (message?.state !== 'known') return fallback;
  try {
    const text = String(message.evaluate(variables)).trim();
    return text === '' || text.includes('\n') || new TextEncoder().encode(text).length > 5 * 1024 ? fallback : text;
  } catch {
    // As on the server, a message that cannot be made is no reason to take a bad value, nor to refuse a good one.
    return fallback;
  }
}

function refusal(
  schema: StructuralSchema,
  rule: ValidationRule,
  value: unknown,
  path: string,
  detail: string,
): FieldProblem {
  const below = rule.fieldPath === undefined ? '' : (normalizedFieldPath(rule.fieldPath, schema) ?? '');
  const at = [path, below].filter((part) => part !== '').join('.');
  const reason = rule.reason ?? 'FieldValueInvalid';
  const isComposite = schema.type === 'object' || schema.type === 'array';
  if (reason === 'FieldValueForbidden' || reason === 'FieldValueRequired')
    return problemWithoutValue(reason, at, detail);
  const shownDetail = reason === 'FieldValueDuplicate' ? '' : detail;
  return isComposite ? problemWithoutValue(reason, at, shownDetail) : problem(reason, at, value, shownDetail);
}
