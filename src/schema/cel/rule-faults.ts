import type { DefinitionFault } from '../definition-fault.js';
import { childrenOf, type StructuralSchema, type ValidationRule } from '../structural.js';
import { compiledRules } from './compiled-rule.js';
import { maxRequestBytes } from './decl-type.js';
import { normalizedFieldPath } from './field-path.js';

/** The API server's budgets: for one rule, and for all rules of one version of a resource. */
const ruleBudget = 10_000_000;
const schemaBudget = 100_000_000;

const celHint =
  'write CEL in which self is the value that the rule stands at, with the fields of its schema: https://kubernetes.io/docs/reference/using-api/cel/';

/** What is wrong with the rules of one schema, apart from how often it is repeated. */
export function ruleFaults(
  schema: StructuralSchema,
  path: string,
  { isResourceRoot = false }: { readonly isResourceRoot?: boolean } = {},
): DefinitionFault[] {
  const rules = schema['x-kubernetes-validations'] ?? [];
  if (rules.length === 0) return [];
  const malformed = rules.flatMap((rule, index) =>
    formFaults(schema, rule, `${path}.x-kubernetes-validations[${index}]`),
  );
  if (malformed.length > 0) return malformed;
  const compiled = compiledRules(schema, isResourceRoot);
  if (compiled === undefined) {
    const message = 'rules cannot see values of this type';
    return [{ path: `${path}.x-kubernetes-validations`, message, hint: 'put the rule on a field with a schema' }];
  }
  return compiled.rules.flatMap(({ rule, condition, message }, index) => {
    const at = `${path}.x-kubernetes-validations[${index}]`;
    const found: DefinitionFault[] = [];
    if (condition.state === 'faulty') {
      found.push({ path: `${at}.rule`, message: `"${rule.rule}" ${condition.fault}`, hint: celHint });
    } else if (rule.optionalOldSelf !== undefined && !condition.usesOldSelf) {
      found.push({ path: `${at}.optionalOldSelf`, message: 'may not be set if oldSelf is not used in rule' });
    }
    if (message?.state === 'faulty') {
      const text = `"${rule.messageExpression}" ${message.fault}`;
      found.push({ path: `${at}.messageExpression`, message: text, hint: celHint });
    }
    return found;
  });
}

const reasons: readonly string[] = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
];

function formFaults(schema: StructuralSchema, rule: ValidationRule, at: string): DefinitionFault[] {
  const found: DefinitionFault[] = [];
  const { message, messageExpression, fieldPath } = rule;
  if (rule.rule.trim() === '') found.push({ path: `${at}.rule`, message: 'rule is not specified' });
  else if (message !== undefined && message !== '' && message.trim() === '') {
    found.push({ path: `${at}.message`, message: 'must be non-empty if specified' });
  } else if (/[\n\r]/.test(message?.trim() ?? '')) {
    found.push({ path: `${at}.message`, message: 'must not contain line breaks' });
  } else if (/[\n\r]/.test(rule.rule.trim()) && (message?.trim() ?? '') === '') {
    found.push({ path: `${at}.message`, message: 'message must be specified if rule contains line breaks' });
  }
  if (messageExpression !== undefined && messageExpression !== '' && messageExpression.trim() === '') {
    found.push({ path: `${at}.messageExpression`, message: 'messageExpression must be non-empty if specified' });
  }
  if (rule.reason !== undefined && !reasons.includes(rule.reason)) {
    const hint = `write one of ${reasons.join(', ')}`;
    found.push({ path: `${at}.reason`, message: `"${rule.reason}" is no reason of the API server`, hint });
  }
  if (fieldPath !== undefined && fieldPath !== '' && normalizedFieldPath(fieldPath, schema) === undefined) {
    const hint = 'write it relative to the value of the rule, from a dot: .size';
    found.push({ path: `${at}.fieldPath`, message: `"${fieldPath}" must be a valid path`, hint });
  }
  return found;
}

/** What a schema with all its parts costs, and where that is too much for the API server. */
export function costFaults(root: StructuralSchema): DefinitionFault[] {
  const budget: Budget = { spent: 0, faults: [] };
  spend(root, '', { times: 1, isRoot: true, uncorrelated: undefined }, budget);
  if (budget.spent > schemaBudget) {
    const message = `estimated cost of all rules exceeds the API server's budget by a factor of ${factor(budget.spent, schemaBudget)}`;
    budget.faults.push({ path: '', message, hint: boundsHint });
  }
  return budget.faults;
}

const boundsHint =
  'add maxItems to lists, maxProperties to maps and maxLength to strings that rules look at or stand in, or simplify the rule';

interface Budget {
  spent: number;
  readonly faults: DefinitionFault[];
}

interface Place {
  /** How often the schema can be repeated; undefined where a list or a map above has no limit. */
  readonly times: number | undefined;
  readonly isRoot: boolean;
  /** The list above of which old and new items cannot be told apart. */
  readonly uncorrelated: string | undefined;
}

function spend(schema: StructuralSchema, path: string, place: Place, budget: Budget): void {
  const compiled = schema['x-kubernetes-validations'] && compiledRules(schema, place.isRoot);
  const minBytes = compiled?.type.minBytes ?? 0;
  const times = place.times ?? Math.floor(maxRequestBytes / (minBytes + 1));
  for (const [index, { condition, message }] of (compiled?.rules ?? []).entries()) {
    const at = `${path}.x-kubernetes-validations[${index}]`;
    if (condition.state === 'known') charge(`${at}.rule`, 'rule', condition.maxCost * times, budget);
    if (message?.state === 'known') charge(`${at}.messageExpression`, 'messageExpression', message.maxCost, budget);
    if (condition.state !== 'faulty' && condition.usesOldSelf && place.uncorrelated !== undefined) {
      budget.faults.push({
        path: `${at}.rule`,
        message: `oldSelf cannot be used on the uncorrelatable portion of the schema within ${place.uncorrelated || 'the root'}`,
        hint: 'use s.listMap, whose items have keys, or put the rule above the list',
      });
    }
  }
  const isList = schema.items !== undefined;
  const repeated = isList ? schema.maxItems : schema.additionalProperties ? schema.maxProperties : 1;
  const below: Place = {
    times: place.times === undefined || repeated === undefined ? undefined : place.times * repeated,
    isRoot: false,
    uncorrelated: place.uncorrelated ?? (isList && schema['x-kubernetes-list-type'] !== 'map' ? path : undefined),
  };
  for (const child of childrenOf(schema, path)) spend(child.schema, child.path, below, budget);
}

function charge(path: string, what: string, cost: number, budget: Budget): void {
  budget.spent += cost;
  if (cost <= ruleBudget) return;
  const message = `estimated ${what} cost exceeds the API server's budget by a factor of ${factor(cost, ruleBudget)}`;
  budget.faults.push({ path, message, hint: boundsHint });
}

function factor(cost: number, budget: number): string {
  const times = cost / budget;
  return times > 100 ? 'more than 100x' : `${times.toFixed(times < 1.5 ? 6 : 1)}x`;
}
