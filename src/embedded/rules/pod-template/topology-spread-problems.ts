import type { TopologySpreadConstraint } from '../../../../imports/k8s.js';
import { type LabelSelector, selectorProblems } from '../label-selector.js';
import type { Problems } from '../problems.js';
import type { Unchecked } from '../unchecked.js';
import { matchLabelKeysProblems } from './match-label-keys.js';

const actions = ['DoNotSchedule', 'ScheduleAnyway'];
const policies = ['Honor', 'Ignore'];

/** https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/ */
export function topologySpreadProblems(
  found: Problems,
  path: string,
  constraints: readonly Unchecked<TopologySpreadConstraint>[],
): void {
  constraints.forEach((constraint, index) => {
    const at = `${path}[${index}]`;
    const { maxSkew = 0, topologyKey = '', whenUnsatisfiable: action = '', minDomains } = constraint;
    if (maxSkew <= 0) found.invalid(`${at}.maxSkew`, maxSkew, 'must be greater than zero');
    if (topologyKey === '') found.required(`${at}.topologyKey`, 'can not be empty');
    if (!actions.includes(action)) found.notSupported(`${at}.whenUnsatisfiable`, action, actions);
    const isRepeated = constraints
      .slice(index + 1)
      .some((other) => (other.topologyKey ?? '') === topologyKey && (other.whenUnsatisfiable ?? '') === action);
    if (isRepeated) found.duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, `{${topologyKey}, ${action}}`);
    if (minDomains !== undefined) {
      if (minDomains <= 0) found.invalid(`${at}.minDomains`, minDomains, 'must be greater than zero');
      if (action !== 'DoNotSchedule') {
        const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`;
        found.invalid(`${at}.minDomains`, minDomains, detail);
      }
    }
    for (const field of ['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const) {
      const policy = constraint[field];
      if (policy !== undefined && !policies.includes(policy)) found.notSupported(`${at}.${field}`, policy, policies);
    }
    matchLabelKeysProblems(found, at, constraint);
    found.add(selectorProblems(constraint.labelSelector as LabelSelector | undefined, `${at}.labelSelector`));
  });
}
