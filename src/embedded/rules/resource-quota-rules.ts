import type { ResourceQuotaObject } from '../../../imports/k8s.js';
import type { KubeObject } from '../../kube/manifest.js';
import type { FieldProblem } from '../../schema/field-problem.js';
import { goJson } from '../../schema/go-format.js';
import { dns1123SubdomainName } from '../../schema/name-formats.js';
import type { Rules } from '../kinds/served-kind.js';
import { type Amounts, amountProblems, compareAmounts, shownAmount, sortedNames } from './amounts.js';
import { defaultResourceList } from './pod-template/default-resources.js';
import { Problems } from './problems.js';
import { isQuotaResource, resourceNameProblems } from './resource-names.js';
import { statusApart } from './status-apart.js';
import type { Unchecked } from './unchecked.js';

type Quota = Unchecked<ResourceQuotaObject>;

const ofPods = ['pods', 'cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'];
const scopes: Readonly<Record<string, readonly string[]>> = {
  Terminating: ofPods,
  NotTerminating: ofPods,
  NotBestEffort: ofPods,
  PriorityClass: ofPods,
  CrossNamespacePodAffinity: ofPods,
  BestEffort: ['pods'],
  VolumeAttributesClass: ['persistentvolumeclaims', 'requests.storage'],
};
const withoutValues = ['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'CrossNamespacePodAffinity'];

/**
 * https://kubernetes.io/docs/concepts/policy/resource-quotas/
 *
 * Quotas are kept and judged, but not enforced, and nobody counts what is used.
 */
export const resourceQuotaRules: Rules = {
  ...statusApart({}),
  default(object) {
    const { spec, status } = object as unknown as Quota;
    for (const amounts of [spec?.hard, status?.hard, status?.used]) defaultResourceList(amounts);
  },
  validate(object) {
    const found = new Problems();
    found.add(specProblems(object));
    found.add(statusProblems(object));
    return found.all;
  },
  validateUpdate(object, old) {
    const found = new Problems();
    found.add(specProblems(object));
    const [now, was] = [object, old].map((each) => new Set((each as unknown as Quota).spec?.scopes));
    if (now?.size !== was?.size || [...(now ?? [])].some((scope) => !was?.has(scope))) {
      found.invalid('spec.scopes', (object as unknown as Quota).spec?.scopes ?? null, 'field is immutable');
    }
    return found.all;
  },
  validateStatusUpdate: statusProblems,
  nameProblems: dns1123SubdomainName,
  warnings(object, old) {
    const { hard = {} } = (object as unknown as Quota).spec ?? {};
    return old === undefined ? requestWarnings(hard) : [];
  },
};

/** Who may ask for more than for the limit of it. */
function requestWarnings(hard: Unchecked<Amounts>): readonly string[] {
  return ['cpu', 'memory', 'storage', 'ephemeral-storage'].flatMap((resource) => {
    const isShort = hard[`requests.${resource}`] === undefined && (resource === 'cpu' || resource === 'memory');
    const asked = isShort ? resource : `requests.${resource}`;
    const [request, limit] = [hard[asked], hard[`limits.${resource}`]];
    if (request === undefined || limit === undefined || compareAmounts(request, limit) <= 0) return [];
    const shown = (name: string, amount: string | number) => `${name} (${shownAmount(amount)})`;
    return [`ResourceQuota ${shown(asked, request)} should be less than ${shown(`limits.${resource}`, limit)}`];
  });
}

function specProblems(object: KubeObject): readonly FieldProblem[] {
  const { spec = {} } = object as unknown as Quota;
  const found = new Problems();
  hardProblems(found, 'spec.hard', spec.hard);
  const given = spec.scopes ?? [];
  for (const scope of given) {
    for (const detail of scopeFaults(scope, spec.hard)) found.invalid('spec.scopes', given, detail);
  }
  for (const detail of conflicts(given)) found.invalid('spec.scopes', given, detail);
  selectorProblems(found, spec);
  return found.all;
}

function statusProblems(object: KubeObject): readonly FieldProblem[] {
  const { status = {} } = object as unknown as Quota;
  const found = new Problems();
  hardProblems(found, 'status.hard', status.hard);
  hardProblems(found, 'status.used', status.used);
  return found.all;
}

function hardProblems(found: Problems, path: string, hard: Unchecked<Amounts> | undefined): void {
  for (const name of sortedNames(hard)) {
    const at = `${path}[${name}]`;
    found.add(resourceNameProblems(at, name));
    if (!name.includes('/') && !isQuotaResource(name)) {
      found.invalid(at, name, 'must be a standard resource for quota');
    }
    found.add(amountProblems(at, name, hard![name]!));
  }
}

function scopeFaults(scope: string, hard: Unchecked<Amounts> | undefined): readonly string[] {
  const covered = Object.hasOwn(scopes, scope) ? scopes[scope] : undefined;
  if (covered === undefined) return ['unsupported scope'];
  return sortedNames(hard)
    .filter((name) => isQuotaResource(name) && !covered.includes(name))
    .map(() => 'unsupported scope applied to resource');
}

function conflicts(given: readonly string[]): readonly string[] {
  return [
    ['BestEffort', 'NotBestEffort'],
    ['Terminating', 'NotTerminating'],
  ]
    .filter((pair) => pair.every((scope) => given.includes(scope)))
    .map(() => 'conflicting scopes');
}

function selectorProblems(found: Problems, spec: NonNullable<Quota['spec']>): void {
  const path = 'spec.scopeSelector.matchExpressions';
  const requirements = spec.scopeSelector?.matchExpressions ?? [];
  for (const { scopeName = '', operator = '', values = [] } of requirements) {
    for (const detail of scopeFaults(scopeName, spec.hard)) {
      if (detail === 'unsupported scope') found.invalid(`${path}.scopeName`, scopeName, detail);
      else found.invalidShown(path, shownSelector(requirements), detail);
    }
    if (withoutValues.includes(scopeName) && operator !== 'Exists') {
      const detail =
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
      found.invalid(`${path}.operator`, operator, detail);
    }
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length === 0) {
        const detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
        found.required(`${path}.values`, detail);
      }
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values.length > 0) {
        const detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
        found.invalid(`${path}.values`, values, detail);
      }
    } else found.invalid(`${path}.operator`, operator, 'not a valid selector operator');
  }
  for (const detail of conflicts(requirements.map(({ scopeName = '' }) => scopeName))) {
    found.invalid(path, spec.scopes ?? null, detail);
  }
}

/** A selector as the server prints it: its own struct. */
function shownSelector(
  requirements: readonly { scopeName?: string | undefined; operator?: string | undefined; values?: unknown }[],
): string {
  const shown = requirements.map(
    ({ scopeName = '', operator = '', values = null }) =>
      `{"ScopeName":${goJson(scopeName)},"Operator":${goJson(operator)},"Values":${goJson(values)}}`,
  );
  return `{"MatchExpressions":[${shown.join(',')}]}`;
}
