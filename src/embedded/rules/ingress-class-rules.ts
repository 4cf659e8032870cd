import type { IngressClassObject, IngressClassParametersReference } from '../../../imports/k8s.js';
import type { KubeObject } from '../../kube/manifest.js';
import type { FieldProblem } from '../../schema/field-problem.js';
import {
  dns1123Label,
  dns1123Subdomain,
  dns1123SubdomainName,
  mustMatch,
  pathSegment,
} from '../../schema/name-formats.js';
import type { Rules } from '../kinds/served-kind.js';
import { Problems } from './problems.js';
import type { Unchecked } from './unchecked.js';

type IngressClass = Unchecked<IngressClassObject>;

const notAPath = mustMatch('Invalid path', `[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+`);

/** https://kubernetes.io/docs/concepts/services-networking/ingress/#ingress-class */
export const ingressClassRules: Rules = {
  default(object) {
    const { spec } = object as unknown as IngressClass;
    if (spec?.parameters) spec.parameters.scope ??= 'Cluster';
  },
  validate: classProblems,
  validateUpdate(object, old) {
    const found = new Problems();
    const [now, was] = [object, old].map((each) => (each as unknown as IngressClass).spec?.controller ?? '');
    if (now !== was) found.invalid('spec.controller', now, 'field is immutable');
    found.add(classProblems(object));
    return found.all;
  },
  nameProblems: dns1123SubdomainName,
  generation: 'spec',
};

function classProblems(object: KubeObject): readonly FieldProblem[] {
  const { spec = {} } = object as unknown as IngressClass;
  const { controller = '', parameters } = spec;
  const found = new Problems();
  if (Buffer.byteLength(controller) > 250) found.tooLong('spec.controller', 250);
  domainPrefixedPath(found, 'spec.controller', controller);
  if (parameters !== undefined) parameterProblems(found, 'spec.parameters', parameters);
  return found.all;
}

function domainPrefixedPath(found: Problems, path: string, text: string): void {
  if (text === '') {
    found.required(path);
    return;
  }
  const slash = text.indexOf('/');
  if (slash <= 0 || slash === text.length - 1) {
    found.invalid(path, text, 'must be a domain-prefixed path (such as "acme.io/foo")');
    return;
  }
  found.subdomain(path, text.slice(0, slash));
  const rest = text.slice(slash + 1);
  if (!/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(rest)) found.invalid(path, rest, notAPath);
}

function parameterProblems(found: Problems, path: string, given: Unchecked<IngressClassParametersReference>): void {
  const { apiGroup, kind = '', name = '', scope, namespace } = given;
  if (apiGroup !== undefined) found.format(`${path}.apiGroup`, apiGroup, dns1123Subdomain);
  if (kind === '') found.required(`${path}.kind`);
  else found.format(`${path}.kind`, kind, pathSegment);
  if (name === '') found.required(`${path}.name`);
  else found.format(`${path}.name`, name, pathSegment);
  if (scope === undefined) {
    found.required(`${path}.scope`);
    return;
  }
  if (scope !== 'Cluster' && scope !== 'Namespace') {
    found.notSupported(`${path}.scope`, scope, ['Cluster', 'Namespace']);
  }
  if (scope === 'Namespace') {
    if (!namespace) found.required(`${path}.namespace`, "`parameters.scope` is set to 'Namespace'");
    else found.format(`${path}.namespace`, namespace, dns1123Label);
  }
  if (scope === 'Cluster' && namespace !== undefined) {
    found.forbidden(`${path}.namespace`, "`parameters.scope` is set to 'Cluster'");
  }
}
