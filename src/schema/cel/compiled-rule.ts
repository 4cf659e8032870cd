import type { StructuralSchema, ValidationRule } from '../structural.js';
import { type CompiledExpression, compile } from './compile.js';
import { type DeclType, declTypeOf } from './decl-type.js';
import { environmentOf, type RuleEnvironment } from './environment.js';
import { celValue } from './values.js';

/** A rule and its message, compiled for the schema that carries it. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  readonly condition: CompiledExpression;
  readonly message: CompiledExpression | undefined;
  /** A JSON value as the rule sees it. */
  value(json: unknown): unknown;
}

/** All rules of one schema, or undefined when rules cannot see its values. */
export interface CompiledRules {
  readonly type: DeclType;
  readonly rules: readonly CompiledRule[];
}

const cache = new WeakMap<StructuralSchema, CompiledRules | undefined>();
const rootCache = new WeakMap<StructuralSchema, CompiledRules | undefined>();

/** Compiles once for each schema. Rules at the root of a resource also see its kind and its name. */
export function compiledRules(schema: StructuralSchema, isResourceRoot: boolean): CompiledRules | undefined {
  const known = isResourceRoot ? rootCache : cache;
  if (!known.has(schema)) known.set(schema, compileAll(schema, isResourceRoot));
  return known.get(schema);
}

function compileAll(schema: StructuralSchema, isResourceRoot: boolean): CompiledRules | undefined {
  const type = declTypeOf(schema, isResourceRoot);
  if (type === undefined) return undefined;
  const environments = new Map<boolean, RuleEnvironment>();
  const rules = (schema['x-kubernetes-validations'] ?? []).map((rule): CompiledRule => {
    const isOptional = rule.optionalOldSelf === true;
    const environment = environments.get(isOptional) ?? environmentOf(type, isOptional);
    environments.set(isOptional, environment);
    const { rule: condition, messageExpression } = rule;
    return {
      rule,
      condition: compile(condition, 'bool', type, environment),
      message: messageExpression === undefined ? undefined : compile(messageExpression, 'string', type, environment),
      value: (json) => celValue(type, json, environment.classes),
    };
  });
  return { type, rules };
}
