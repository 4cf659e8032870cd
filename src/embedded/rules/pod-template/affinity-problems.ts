import type { Affinity, NodeSelectorRequirement, NodeSelectorTerm, PodAffinityTerm } from '../../../../imports/k8s.js';
import { dns1123Label, dns1123Subdomain, labelKey, labelValue } from '../../../schema/name-formats.js';
import { type LabelSelector, selectorProblems } from '../label-selector.js';
import type { Problems } from '../problems.js';
import type { Unchecked } from '../unchecked.js';
import { matchLabelKeysProblems } from './match-label-keys.js';

/** https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/ */
export function affinityProblems(found: Problems, path: string, affinity: Unchecked<Affinity>): void {
  const { nodeAffinity: nodes, podAffinity, podAntiAffinity } = affinity;
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
  const selector = nodes?.[required];
  if (selector) {
    const at = `${path}.nodeAffinity.${required}.nodeSelectorTerms`;
    const terms = selector.nodeSelectorTerms ?? [];
    if (terms.length === 0) found.required(at, 'must have at least one node selector term');
    terms.forEach((term, index) => {
      nodeTerm(found, `${at}[${index}]`, term, true);
    });
  }
  nodes?.[preferred]?.forEach(({ weight = 0, preference = {} }, index) => {
    const at = `${path}.nodeAffinity.${preferred}[${index}]`;
    weightProblems(found, `${at}.weight`, weight);
    nodeTerm(found, `${at}.preference`, preference, false);
  });
  for (const [name, pods] of Object.entries({ podAffinity, podAntiAffinity })) {
    pods?.[required]?.forEach((term, index) => {
      podTerm(found, `${path}.${name}.${required}[${index}]`, term);
    });
    pods?.[preferred]?.forEach(({ weight = 0, podAffinityTerm = {} }, index) => {
      const at = `${path}.${name}.${preferred}[${index}]`;
      weightProblems(found, `${at}.weight`, weight);
      podTerm(found, `${at}.podAffinityTerm`, podAffinityTerm);
    });
  }
}

function weightProblems(found: Problems, path: string, weight: number): void {
  if (weight <= 0 || weight > 100) found.invalid(path, weight, 'must be in the range 1-100');
}

function nodeTerm(found: Problems, path: string, term: Unchecked<NodeSelectorTerm>, judgesValues: boolean): void {
  term.matchExpressions?.forEach((requirement, index) => {
    nodeRequirement(found, `${path}.matchExpressions[${index}]`, requirement, judgesValues);
  });
  term.matchFields?.forEach((requirement, index) => {
    fieldRequirement(found, `${path}.matchFields[${index}]`, requirement);
  });
}

function nodeRequirement(
  found: Problems,
  path: string,
  { key = '', operator = '', values = [] }: Unchecked<NodeSelectorRequirement>,
  judgesValues: boolean,
): void {
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) {
      found.required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'");
    }
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) {
      found.forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    }
  } else if (operator === 'Gt' || operator === 'Lt') {
    if (values.length !== 1) {
      found.required(`${path}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'");
    }
  } else found.invalid(`${path}.operator`, operator, 'not a valid selector operator');
  found.format(`${path}.key`, key, labelKey);
  if (!judgesValues) return;
  values.forEach((value, index) => {
    found.format(`${path}.values[${index}]`, value, labelValue);
  });
}

function fieldRequirement(
  found: Problems,
  path: string,
  { key = '', operator = '', values = [] }: Unchecked<NodeSelectorRequirement>,
): void {
  if (operator !== 'In' && operator !== 'NotIn') {
    found.invalid(`${path}.operator`, operator, 'not a valid selector operator');
  } else if (values.length !== 1) {
    const detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    found.required(`${path}.values`, detail);
  }
  if (key !== 'metadata.name') {
    found.invalid(`${path}.key`, key, 'not a valid field selector key');
    return;
  }
  values.forEach((value, index) => {
    found.format(`${path}.values[${index}]`, value, dns1123Subdomain);
  });
}

function podTerm(found: Problems, path: string, term: Unchecked<PodAffinityTerm>): void {
  found.add(selectorProblems(term.labelSelector as LabelSelector | undefined, `${path}.labelSelector`));
  found.add(selectorProblems(term.namespaceSelector as LabelSelector | undefined, `${path}.namespaceSelector`));
  for (const namespace of term.namespaces ?? []) found.format(`${path}.namespace`, namespace, dns1123Label);
  matchLabelKeysProblems(found, path, term);
  const { topologyKey = '' } = term;
  if (topologyKey === '') found.required(`${path}.topologyKey`, 'can not be empty');
  found.format(`${path}.topologyKey`, topologyKey, labelKey);
}
