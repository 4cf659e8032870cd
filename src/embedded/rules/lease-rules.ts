import type { LeaseObject } from '../../../imports/k8s.js';
import type { KubeObject } from '../../kube/manifest.js';
import type { FieldProblem } from '../../schema/field-problem.js';
import { dns1123SubdomainName } from '../../schema/name-formats.js';
import type { Draft } from '../draft.js';
import type { Rules } from '../kinds/served-kind.js';
import { Problems } from './problems.js';
import type { Unchecked } from './unchecked.js';

/** https://kubernetes.io/docs/concepts/architecture/leases/ */
export const leaseRules: Rules = {
  prepareForCreate: dropElection,
  prepareForUpdate: dropElection,
  validate: leaseProblems,
  nameProblems: dns1123SubdomainName,
  allowsCreateOnUpdate: true,
  allowsUnconditionalUpdate: false,
};

/** Coordinated election is not part of the server of this version, unless somebody turns it on. */
function dropElection(object: Draft): void {
  const { spec } = object as unknown as Unchecked<LeaseObject>;
  delete spec?.strategy;
  delete spec?.preferredHolder;
}

function leaseProblems(object: KubeObject): readonly FieldProblem[] {
  const { spec = {} } = object as unknown as Unchecked<LeaseObject>;
  const { leaseDurationSeconds, leaseTransitions } = spec;
  const found = new Problems();
  if (leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0) {
    found.invalid('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0');
  }
  found.nonNegative('spec.leaseTransitions', leaseTransitions);
  return found.all;
}
