import { type CompiledRule, compiledRules } from '../../../schema/cel/compiled-rule.js';
import { maxRequestBytes } from '../../../schema/cel/decl-type.js';
import { type FieldProblem, problem, problemWithoutValue } from '../../../schema/field-problem.js';
import type { RawSchema } from '../custom-definition.js';
import { structuralOf } from '../structural-of.js';
import { goRule } from './go-definition.js';
import { isSet, schemasAt, typeOf } from './raw-schema.js';

/** The budgets of the server: for one expression, and for all of one version. */
const expressionLimit = 10_000_000;
const totalLimit = 100_000_000;
const mostShown = 4;

/** What the rules of a version cost in all, as far as they have been looked at. */
export class Budget {
  #total = 0;
  #dearest: { readonly path: string; readonly cost: number }[] = [];

  spend(path: string, cost: number): void {
    this.#total += cost;
    if (cost < totalLimit / 100) return;
    this.#dearest.push({ path, cost });
    this.#dearest = this.#dearest.sort((a, b) => b.cost - a.cost).slice(0, mostShown);
  }

  /** What is wrong with the total: `path` is that of the whole schema. */
  problems(path: string): readonly FieldProblem[] {
    if (this.#total <= totalLimit) return [];
    const part = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const whole = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...this.#dearest.map((each) => problemWithoutValue('FieldValueForbidden', each.path, part)),
      problemWithoutValue('FieldValueForbidden', path, tooDear(whole, this.#total, totalLimit)),
    ];
  }
}

/** Where in a version a schema with rules stands. */
export interface RulePlace {
  readonly budget: Budget;
  readonly isResourceRoot: boolean;
  /** How often the schema can be there; undefined where a list or a map above has no limit. */
  readonly times: number | undefined;
  below(schema: RawSchema, child: RawSchema): RulePlace;
}

export function ruleScope(_root: RawSchema, budget: Budget): RulePlace {
  return placed(budget, true, 1);
}

function placed(budget: Budget, isResourceRoot: boolean, times: number | undefined): RulePlace {
  return {
    budget,
    isResourceRoot,
    times,
    below(schema, child) {
      const most = mostChildren(schema);
      const product = times === undefined || most === undefined ? undefined : times * most;
      return placed(budget, child['x-kubernetes-embedded-resource'] === true, product);
    },
  };
}

function mostChildren(schema: RawSchema): number | undefined {
  const limit = (key: string) => (typeof schema[key] === 'number' ? Math.max(schema[key], 0) : undefined);
  if (typeOf(schema) === 'array') return limit('maxItems');
  if (typeOf(schema) === 'object' && isSet(schema, 'additionalProperties')) return limit('maxProperties');
  return 1;
}

/** What is wrong with the rules of one schema, which are well formed. */
export function expressionProblems(
  schema: RawSchema,
  path: string,
  place: RulePlace,
  uncorrelated: string | undefined,
): readonly FieldProblem[] {
  const compiled = compiledRules(structuralOf(schema), place.isResourceRoot);
  if (!compiled) {
    const detail =
      'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations';
    return [
      { reason: 'InternalError', path: `${path}.x-kubernetes-validations`, message: `Internal error: ${detail}` },
    ];
  }
  const times = place.times ?? Math.floor(maxRequestBytes / (compiled.type.minBytes + 1));
  const rules = schemasAt(schema, 'x-kubernetes-validations');
  return compiled.rules.flatMap((rule, index) => {
    const at = `${path}.x-kubernetes-validations[${index}]`;
    return oneExpression(rule, rules[index] ?? {}, at, times, place.budget, uncorrelated);
  });
}

function oneExpression(
  { rule, condition, message }: CompiledRule,
  raw: RawSchema,
  at: string,
  times: number,
  budget: Budget,
  uncorrelated: string | undefined,
): readonly FieldProblem[] {
  const found: FieldProblem[] = [];
  const charge = (key: string, what: string, cost: number) => {
    if (cost > expressionLimit) {
      const detail = tooDear(`estimated ${what} cost`, cost, expressionLimit);
      found.push(problemWithoutValue('FieldValueForbidden', `${at}.${key}`, detail));
    }
    budget.spend(`${at}.${key}`, cost);
  };
  const faulty = (key: string, fault: string) =>
    found.push({
      reason: 'FieldValueInvalid',
      path: `${at}.${key}`,
      message: `Invalid value: ${goRule(raw)}: ${fault}`,
    });

  if (condition.state === 'known') charge('rule', 'rule', condition.maxCost * times);
  if (condition.state === 'faulty') faulty('rule', condition.words);
  if (message?.state === 'faulty') {
    faulty('messageExpression', message.words.replace(/^compilation failed/, 'messageExpression compilation failed'));
  } else if (message?.state === 'known') charge('messageExpression', 'messageExpression', message.maxCost);
  const usesOldSelf = condition.state !== 'faulty' && condition.usesOldSelf;
  if (usesOldSelf && uncorrelated !== undefined) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
    found.push(problem('FieldValueInvalid', `${at}.rule`, rule.rule, detail));
  } else if (!usesOldSelf && rule.optionalOldSelf !== undefined) {
    const detail = 'may not be set if oldSelf is not used in rule';
    found.push(problem('FieldValueInvalid', `${at}.optionalOldSelf`, rule.optionalOldSelf, detail));
  }
  return found;
}

function tooDear(what: string, cost: number, limit: number): string {
  const times = cost / limit;
  const factor = times > 100 ? 'more than 100x' : times < 1.5 ? `${times.toFixed(6)}x` : `${times.toFixed(1)}x`;
  return `${what} exceeds budget by factor of ${factor} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}
