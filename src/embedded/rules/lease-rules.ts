import type { LeaseObject } from '../../../imports/k8s.js';
import type { KubeObject } from '../../kube/manifest.js';
import type { FieldProblem } from '../../schema/field-problem.js';
import type { Rules } from '../kinds/served-kind.js';
import { dns1123SubdomainName } from './name-formats.js';
import { Problems } from './problems.js';
import type { Unchecked } from './unchecked.js';

/** https://kubernetes.io/docs/concepts/architecture/leases/ */
export const leaseRules: Rules = {
  validate: leaseProblems,
  nameProblems: dns1123SubdomainName,
  allowsCreateOnUpdate: true,
  allowsUnconditionalUpdate: false,
};

function leaseProblems(object: KubeObject): readonly FieldProblem[] {
  const { spec = {} } = object as unknown as Unchecked<LeaseObject>;
  const { leaseDurationSeconds, leaseTransitions, strategy, preferredHolder } = spec;
  const found = new Problems();
  if (leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0) {
    found.invalid('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0');
  }
  found.nonNegative('spec.leaseTransitions', leaseTransitions);
  if (strategy !== undefined) {
    // The server names the field twice.
    const path = 'spec.strategy.strategy';
    if (strategy.includes('/')) found.qualifiedName(path, strategy);
    else if (strategy !== 'OldestEmulationVersion') found.notSupported(path, strategy, ['OldestEmulationVersion']);
  }
  if (preferredHolder && !strategy) {
    found.forbidden('spec.preferredHolder', 'may only be specified if `strategy` is defined');
  }
  return found.all;
}
