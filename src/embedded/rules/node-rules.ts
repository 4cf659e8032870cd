import type { NodeObject, Taint } from '../../../imports/k8s.js';
import type { KubeObject } from '../../kube/manifest.js';
import type { FieldProblem } from '../../schema/field-problem.js';
import { dns1123SubdomainName, labelValue } from '../../schema/name-formats.js';
import type { Draft } from '../draft.js';
import type { Rules } from '../kinds/served-kind.js';
import { badRequest } from '../status-error.js';
import { cidrWarnings } from './address-warnings.js';
import { cidrProblems, familyOf } from './addresses.js';
import { amountProblems, sortedNames } from './amounts.js';
import { goStruct, Problems } from './problems.js';
import { keepSpec, keepStatus, statusApart } from './status-apart.js';
import type { Unchecked } from './unchecked.js';

type Node = Unchecked<NodeObject>;

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
const notReady = 'node.kubernetes.io/not-ready';

/** https://kubernetes.io/docs/concepts/architecture/nodes/ */
export const nodeRules: Rules = {
  default(object) {
    const { spec, status } = object as unknown as Node;
    twinRanges(spec);
    if (status?.capacity !== undefined) status.allocatable ??= { ...status.capacity };
  },
  prepareForUpdate: keepStatus,
  prepareForStatusUpdate: keepSpec,
  validate: nodeProblems,
  validateUpdate(object, old) {
    return [...nodeProblems(object), ...nodeChangeProblems(object, old)];
  },
  validateStatusUpdate: nodeChangeProblems,
  admit(object, operation) {
    if (operation === 'CREATE') taintAsNotReady(object);
  },
  nameProblems: dns1123SubdomainName,
  resetFields: statusApart({}).resetFields,
  warnings(object) {
    const { configSource, externalID, podCIDRs = [] } = (object as unknown as Node).spec ?? {};
    return [
      ...(configSource ? ['spec.configSource: the feature is removed'] : []),
      ...(externalID ? ['spec.externalID: this field is deprecated, and is unused by Kubernetes'] : []),
      ...podCIDRs.flatMap((range, index) => cidrWarnings(`spec.podCIDRs[${index}]`, range)),
    ];
  },
};

/** The first of the ranges of a node stands alone, too. */
function twinRanges(spec: Node['spec']): void {
  if (!spec) return;
  const first = spec.podCIDRs?.[0];
  if (spec.podCIDR && first !== undefined && spec.podCIDR !== first) {
    const because = 'conversion Error: v1.PodCIDR and v1.PodCIDRs[0] should match';
    throw badRequest(`Node in version "v1" cannot be handled as a Node: ${because}`);
  }
  if (spec.podCIDR) spec.podCIDRs ??= [spec.podCIDR];
  else if (first !== undefined) spec.podCIDR = first;
}

/** Nothing is scheduled on a node before its kubelet says that it is ready. */
function taintAsNotReady(object: Draft): void {
  const node = object as unknown as Node;
  node.spec ??= {};
  node.spec.taints ??= [];
  if (node.spec.taints.some(({ key, effect }) => key === notReady && effect === 'NoSchedule')) return;
  node.spec.taints.push({ key: notReady, effect: 'NoSchedule' });
}

function nodeProblems(object: KubeObject): readonly FieldProblem[] {
  const { spec = {}, status = {} } = object as unknown as Node;
  const found = new Problems();
  taintProblems(found, spec.taints ?? []);
  resourceProblems(found, status);
  const ranges = spec.podCIDRs ?? [];
  ranges.forEach((range, index) => {
    found.add(cidrProblems(`spec.podCIDRs[${index}]`, range));
  });
  const families = new Set(ranges.map((range) => familyOf(range.split('/')[0] ?? '')));
  if (ranges.length > 1 && (ranges.length > 2 || families.size < 2)) {
    found.invalid('spec.podCIDRs', ranges, 'may specify no more than one CIDR for each IP family');
  }
  return found.all;
}

function nodeChangeProblems(object: KubeObject, before: KubeObject): readonly FieldProblem[] {
  const { spec = {}, status = {} } = object as unknown as Node;
  const { spec: old = {} } = before as unknown as Node;
  const found = new Problems();
  resourceProblems(found, status);
  const addresses = new Set<string>();
  status.addresses?.forEach(({ type = '', address = '' }, index) => {
    const key = `${type} ${address}`;
    const shown = JSON.stringify({ Type: type, Address: address });
    if (addresses.has(key)) {
      const path = `status.addresses[${index}]`;
      found.duplicateShown(path, shown);
    }
    addresses.add(key);
  });
  const [now, was] = [spec.podCIDRs ?? [], old.podCIDRs ?? []];
  const changes =
    was.length === 0 ? 0 : was.length === now.length ? was.filter((each, at) => each !== now[at]).length : 1;
  for (let change = 0; change < changes; change++) {
    found.forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid');
  }
  if (old.providerID && old.providerID !== spec.providerID) {
    found.forbidden('spec.providerID', 'node updates may not change providerID except from "" to valid');
  }
  taintProblems(found, spec.taints ?? []);
  if ((spec.externalID ?? '') !== (old.externalID ?? '')) found.forbidden('spec.externalID', 'may not be updated');
  return found.all;
}

function taintProblems(found: Problems, taints: readonly Unchecked<Taint>[]): void {
  taints.forEach((taint, index) => {
    const { key = '', value = '', effect = '' } = taint;
    const path = `metadata.taints[${index}]`;
    found.qualifiedName(`${path}.key`, key);
    const valueProblems = labelValue(value);
    if (valueProblems.length > 0) found.invalid(`${path}.value`, value, valueProblems.join(';'));
    if (effect === '') found.required(`${path}.effect`);
    else if (!effects.includes(effect)) found.notSupported(`${path}.effect`, effect, effects);
    if (taints.findIndex((each) => (each.key ?? '') === key && (each.effect ?? '') === effect) < index) {
      const { timeAdded = null } = taint;
      const shown = goStruct({ Key: key, Value: value, Effect: effect, TimeAdded: timeAdded }, taintFields);
      found.duplicateShown(path, shown, 'taints must be unique by key and effect pair');
    }
  });
}

const taintFields = ['Key', 'Value', 'Effect', 'TimeAdded'];

function resourceProblems(found: Problems, status: NonNullable<Node['status']>): void {
  for (const field of ['capacity', 'allocatable'] as const) {
    // The one is a copy of the other as long as nobody says anything else, but it is judged all the same.
    const amounts = status[field] ?? {};
    for (const name of sortedNames(amounts)) {
      found.add(amountProblems(`status.${field}.${name}`, name, amounts[name] as string));
    }
  }
}
