import type {
  ParamRef,
  ValidatingAdmissionPolicyBindingObject,
  ValidatingAdmissionPolicyObject,
} from '../../../imports/k8s.js';
import type { KubeObject } from '../../kube/manifest.js';
import type { FieldProblem } from '../../schema/field-problem.js';
import { dns1035Label, dns1123Subdomain, dns1123SubdomainName, pathSegment } from '../../schema/name-formats.js';
import type { Rules } from '../kinds/served-kind.js';
import {
  conditionProblems,
  defaultMatchResources,
  failurePolicies,
  matchResourcesProblems,
} from './admission-matching.js';
import { type LabelSelector, selectorProblems } from './label-selector.js';
import { Problems } from './problems.js';
import { statusApart } from './status-apart.js';
import type { Unchecked } from './unchecked.js';

type Policy = Unchecked<ValidatingAdmissionPolicyObject>;
type Spec = NonNullable<Policy['spec']>;

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const actions = ['Audit', 'Deny', 'Warn'];

/**
 * https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
 *
 * Policies are kept, and judged but for their expressions; no request is ever held against them.
 */
export const validatingAdmissionPolicyRules: Rules = {
  ...statusApart({}),
  default(object) {
    const { spec } = object as unknown as Policy;
    if (spec === undefined) return;
    spec.failurePolicy ??= 'Fail';
    if (spec.matchConstraints) defaultMatchResources(spec.matchConstraints);
  },
  validate: policyProblems,
  nameProblems: dns1123SubdomainName,
  generation: 'spec',
  allowsUnconditionalUpdate: false,
};

export const validatingAdmissionPolicyBindingRules: Rules = {
  default(object) {
    const { spec } = object as unknown as Unchecked<ValidatingAdmissionPolicyBindingObject>;
    if (spec?.matchResources) defaultMatchResources(spec.matchResources);
  },
  validate: bindingProblems,
  nameProblems: dns1123SubdomainName,
  generation: 'spec',
  allowsUnconditionalUpdate: false,
};

function policyProblems(object: KubeObject): readonly FieldProblem[] {
  const { spec = {} } = object as unknown as Policy;
  const { failurePolicy, paramKind, matchConstraints } = spec;
  const found = new Problems();
  if (failurePolicy === undefined) found.required('spec.failurePolicy');
  else if (!failurePolicies.includes(failurePolicy)) {
    found.notSupported('spec.failurePolicy', failurePolicy, failurePolicies);
  }
  if (paramKind !== undefined) paramKindProblems(found, 'spec.paramKind', paramKind);
  if (matchConstraints === undefined) found.required('spec.matchConstraints');
  else {
    matchResourcesProblems(found, 'spec.matchConstraints', matchConstraints);
    if (!matchConstraints.resourceRules?.length) found.required('spec.matchConstraints.resourceRules');
  }
  conditionProblems(found, 'spec.matchConditions', spec.matchConditions ?? []);
  spec.variables?.forEach(({ name = '', expression = '' }, index) => {
    const path = `spec.variables[${index}]`;
    if (name.trim() === '') found.required(`${path}.name`, 'name is not specified');
    else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name))
      found.invalid(`${path}.name`, name, 'must be a valid CEL identifier');
    if (expression.trim() === '') found.required(`${path}.expression`, 'expression is not specified');
  });
  validationProblems(found, spec, object.metadata.name);
  return found.all;
}

function validationProblems(found: Problems, spec: Spec, name: string): void {
  const { validations = [], auditAnnotations = [] } = spec;
  if (validations.length === 0 && auditAnnotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item';
    found.required('spec.validations', detail);
    found.required('spec.auditAnnotations', detail);
    return;
  }
  validations.forEach(({ expression = '', message = '', messageExpression = '', reason }, index) => {
    const path = `spec.validations[${index}]`;
    if (expression.trim() === '') found.required(`${path}.expression`, 'expression is not specified');
    if (messageExpression !== '' && messageExpression.trim() === '') {
      found.invalid(`${path}.messageExpression`, messageExpression, 'must be non-empty if specified');
    }
    if (message !== '' && message.trim() === '') {
      found.invalid(`${path}.message`, message, 'must be non-empty if specified');
    } else if (/[\r\n]/.test(message.trim())) found.invalid(`${path}.message`, message, 'must not contain line breaks');
    if (reason !== undefined && !reasons.includes(reason)) found.notSupported(`${path}.reason`, reason, reasons);
  });
  const keys = new Set<string>();
  auditAnnotations.forEach(({ key = '', valueExpression = '' }, index) => {
    const path = `spec.auditAnnotations[${index}]`;
    found.qualifiedName(`${path}.key`, `${name}/${key}`);
    if (valueExpression.trim() === '') found.required(`${path}.valueExpression`, 'valueExpression is not specified');
    if (keys.has(key)) found.duplicate(`${path}.key`, key);
    keys.add(key);
  });
}

function paramKindProblems(
  found: Problems,
  path: string,
  { apiVersion = '', kind = '' }: NonNullable<Spec['paramKind']>,
): void {
  const at = `${path}.apiVersion`;
  const parts = apiVersion.split('/');
  if (apiVersion === '') found.required(at);
  else if (parts.length > 2) found.invalid(at, apiVersion, `unexpected GroupVersion string: ${apiVersion}`);
  else {
    const [group, version] = parts.length === 2 ? (parts as [string, string]) : ['', apiVersion];
    const badGroup = group === '' ? [] : dns1123Subdomain(group);
    if (badGroup.length > 0) found.invalid(at, group, badGroup.join(','));
    if (version === '') found.invalid(at, apiVersion, 'version must be specified');
    else if (dns1035Label(version).length > 0) found.invalid(at, version, dns1035Label(version).join(','));
  }
  if (kind === '') found.required(`${path}.kind`);
  else {
    const bad = dns1035Label(kind.toLowerCase());
    const detail = `may have mixed case, but should otherwise match: ${bad.join(',')}`;
    if (bad.length > 0) found.invalid(`${path}.kind`, kind, detail);
  }
}

function bindingProblems(object: KubeObject): readonly FieldProblem[] {
  const { spec = {} } = object as unknown as Unchecked<ValidatingAdmissionPolicyBindingObject>;
  const { policyName = '', paramRef, matchResources, validationActions = [] } = spec;
  const found = new Problems();
  if (policyName === '') found.required('spec.policyName');
  else found.subdomain('spec.policyName', policyName);
  if (paramRef !== undefined) paramRefProblems(found, 'spec.paramRef', paramRef);
  if (matchResources !== undefined) matchResourcesProblems(found, 'spec.matchResources', matchResources);
  if (validationActions.length === 0) {
    found.required('spec.validationActions', 'at least one validation action is required');
  }
  validationActions.forEach((action, index) => {
    const path = `spec.validationActions[${index}]`;
    if (!actions.includes(action)) found.notSupported(path, action, actions);
    if (validationActions.indexOf(action) < index) found.duplicate(path, action);
  });
  if (validationActions.includes('Deny') && validationActions.includes('Warn')) {
    const detail =
      'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
    found.invalid('spec.validationActions', validationActions, detail);
  }
  return found.all;
}

function paramRefProblems(found: Problems, path: string, reference: Unchecked<ParamRef>): void {
  const { name = '', selector, parameterNotFoundAction: action = '' } = reference;
  const exclusive = 'name and selector are mutually exclusive';
  if (name !== '') {
    found.format(`${path}.name`, name, pathSegment);
    if (selector !== undefined) found.forbidden(`${path}.name`, exclusive);
  }
  if (selector !== undefined) {
    found.add(selectorProblems(selector as LabelSelector, `${path}.selector`));
    if (name !== '') found.forbidden(`${path}.selector`, exclusive);
  }
  if (name === '' && selector === undefined) found.required(path, 'one of name or selector must be specified');
  if (action === '') found.required(`${path}.parameterNotFoundAction`);
  else if (action !== 'Deny' && action !== 'Allow') {
    found.notSupported(`${path}.parameterNotFoundAction`, action, ['Deny', 'Allow']);
  }
}
