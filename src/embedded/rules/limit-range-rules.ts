import type { LimitRangeItem, LimitRangeObject } from '../../../imports/k8s.js';
import type { KubeObject } from '../../kube/manifest.js';
import { parseQuantity } from '../../kube/quantity.js';
import type { FieldProblem } from '../../schema/field-problem.js';
import { dns1123SubdomainName } from '../../schema/name-formats.js';
import { uuid } from '../engine.js';
import type { Rules } from '../kinds/served-kind.js';
import { sayNoMore } from '../said-more.js';
import { type Amounts, compareAmounts, shownAmount, sortedNames } from './amounts.js';
import { defaultResourceList } from './pod-template/default-resources.js';
import { Problems } from './problems.js';
import { containerResourceNameProblems, isHugePages, isNative, resourceNameProblems } from './resource-names.js';
import type { Unchecked } from './unchecked.js';

type Limit = Unchecked<LimitRangeItem>;

const types = ['Pod', 'Container', 'PersistentVolumeClaim'];

/**
 * https://kubernetes.io/docs/concepts/policy/limit-range/
 *
 * Limits are kept and judged, but not enforced.
 */
export const limitRangeRules: Rules = {
  default(object) {
    for (const limit of (object as unknown as Unchecked<LimitRangeObject>).spec?.limits ?? []) defaultLimit(limit);
  },
  prepareForCreate({ metadata }, world) {
    metadata.name ||= uuid(() => world.random());
  },
  validate: limitRangeProblems,
  nameProblems: dns1123SubdomainName,
  allowsCreateOnUpdate: true,
};

function defaultLimit(limit: Limit): void {
  for (const field of ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const) {
    defaultResourceList(limit[field]);
  }
  if (limit.type !== 'Container') return;
  fill(limit, 'default', limit.max);
  fill(limit, 'defaultRequest', limit.default);
  fill(limit, 'defaultRequest', limit.min);
}

/** In place, so that what was said of the amounts is known on. */
function fill(limit: Limit, field: 'default' | 'defaultRequest', from: Limit['max']): void {
  sayNoMore(limit, field);
  for (const name in from) {
    limit[field] ??= {};
    limit[field][name] ??= from[name];
  }
}

function limitRangeProblems(object: KubeObject): readonly FieldProblem[] {
  const found = new Problems();
  const seen = new Set<string>();
  (object as unknown as Unchecked<LimitRangeObject>).spec?.limits?.forEach((limit, index) => {
    const { type = '' } = limit;
    const path = `spec.limits[${index}]`;
    const before = found.all.length;
    found.qualifiedName(`${path}.type`, type);
    if (found.all.length === before && !type.includes('/') && !types.includes(type)) {
      found.invalid(`${path}.type`, type, 'must be a standard limit type or fully qualified');
    }
    if (seen.has(type)) found.duplicate(`${path}.type`, type);
    seen.add(type);
    nameProblems(found, path, limit);
    for (const name of namesIn(limit)) amountProblems(found, path, name, limit);
  });
  return found.all;
}

function nameProblems(found: Problems, path: string, limit: Limit): void {
  const judge =
    limit.type === 'Pod' || limit.type === 'Container' ? containerResourceNameProblems : resourceNameProblems;
  const names = (field: 'max' | 'min' | 'default' | 'defaultRequest' | 'maxLimitRequestRatio') => {
    for (const name of sortedNames(limit[field])) found.add(judge(`${path}.${field}[${name}]`, name));
  };
  names('max');
  names('min');
  if (limit.type === 'Pod') {
    for (const field of ['default', 'defaultRequest'] as const) {
      if (sortedNames(limit[field]).length > 0) {
        found.forbidden(`${path}.${field}`, "may not be specified when `type` is 'Pod'");
      }
    }
  } else {
    names('default');
    names('defaultRequest');
  }
  if (limit.type === 'PersistentVolumeClaim' && limit.min?.storage === undefined && limit.max?.storage === undefined) {
    const detail = 'either minimum or maximum storage value is required, but neither was provided';
    found.required(`${path}.limits`, detail);
  }
  names('maxLimitRequestRatio');
}

function namesIn(limit: Limit): readonly string[] {
  const { max, min, maxLimitRequestRatio, ...rest } = limit;
  const defaults = limit.type === 'Pod' ? [] : [rest.default, rest.defaultRequest];
  const all = [max, min, ...defaults, maxLimitRequestRatio].flatMap((amounts) => Object.keys(amounts ?? {}));
  return [...new Set(all)].sort();
}

/** What is wrong with how the amounts of one resource stand to each other. */
function amountProblems(found: Problems, path: string, name: string, limit: Limit): void {
  const of = (amounts: Unchecked<Amounts> | undefined) => amounts?.[name];
  const [min, max, ratio] = [of(limit.min), of(limit.max), of(limit.maxLimitRequestRatio)];
  const isPod = limit.type === 'Pod';
  const [byDefault, request] = isPod ? [] : [of(limit.default), of(limit.defaultRequest)];
  const exceeds = (a: string | number | undefined, b: string | number | undefined) =>
    a !== undefined && b !== undefined && compareAmounts(a, b) > 0;
  const refuse = (field: string, value: string | number, detail: string) => {
    found.invalid(`${path}.${field}[${name}]`, shownAmount(value), detail);
  };
  const say = (value: string | number | undefined) => shownAmount(value!);
  if (exceeds(min, max)) refuse('min', min!, `min value ${say(min)} is greater than max value ${say(max)}`);
  if (exceeds(min, request)) {
    refuse('defaultRequest', request!, `min value ${say(min)} is greater than default request value ${say(request)}`);
  }
  if (exceeds(request, max)) {
    refuse('defaultRequest', request!, `default request value ${say(request)} is greater than max value ${say(max)}`);
  }
  if (exceeds(request, byDefault)) {
    const detail = `default request value ${say(request)} is greater than default limit value ${say(byDefault)}`;
    refuse('defaultRequest', request!, detail);
  }
  if (exceeds(min, byDefault)) {
    refuse('default', min!, `min value ${say(min)} is greater than default value ${say(byDefault)}`);
  }
  if (exceeds(byDefault, max)) {
    refuse('default', max!, `default value ${say(byDefault)} is greater than max value ${say(max)}`);
  }
  if (exceeds('1', ratio)) refuse('maxLimitRequestRatio', ratio!, `ratio ${say(ratio)} is less than 1`);
  if (ratio !== undefined && min !== undefined && max !== undefined) {
    const highest = numberOf(max) / numberOf(min);
    if (numberOf(ratio) > highest) {
      refuse('maxLimitRequestRatio', ratio, `ratio ${say(ratio)} is greater than max/min = ${highest.toFixed(6)}`);
    }
  }
  const isShared = isNative(name) && !isHugePages(name);
  if (!isShared && byDefault !== undefined && request !== undefined && compareAmounts(byDefault, request) !== 0) {
    const detail = `default value ${say(byDefault)} must equal to defaultRequest value ${say(request)} in ${name}`;
    refuse('defaultRequest', request, detail);
  }
}

function numberOf(amount: string | number): number {
  const { unscaled, exponent } = parseQuantity(String(amount));
  return Number(unscaled) * 10 ** exponent;
}
