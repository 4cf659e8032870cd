import type { RoleBindingObject, Subject } from '../../../imports/k8s.js';
import type { KubeObject } from '../../kube/manifest.js';
import { goJson } from '../../schema/go-format.js';
import { dns1123Subdomain, pathSegment } from '../../schema/name-formats.js';
import type { Draft } from '../draft.js';
import type { Rules } from '../kinds/served-kind.js';
import { Problems } from './problems.js';
import type { Unchecked } from './unchecked.js';

type Binding = Unchecked<RoleBindingObject>;

const group = 'rbac.authorization.k8s.io';

/** https://kubernetes.io/docs/reference/access-authn-authz/rbac/#rolebinding-and-clusterrolebinding */
export const roleBindingRules: Rules = bindingRules(true);

export const clusterRoleBindingRules: Rules = bindingRules(false);

function bindingRules(isNamespaced: boolean): Rules {
  return {
    default: defaultBinding,
    validate: (object) => bindingProblems(object, isNamespaced).all,
    validateUpdate(object, old) {
      const found = bindingProblems(object, isNamespaced);
      const [now, was] = [refOf(object), refOf(old)];
      if (now.apiGroup !== was.apiGroup || now.kind !== was.kind || now.name !== was.name) {
        const { apiGroup = '', kind = '', name = '' } = now;
        const shown = `{"APIGroup":${goJson(apiGroup)},"Kind":${goJson(kind)},"Name":${goJson(name)}}`;
        found.invalidShown('roleRef', shown, 'cannot change roleRef');
      }
      return found.all;
    },
    nameProblems: pathSegment,
    allowsCreateOnUpdate: true,
  };
}

function defaultBinding(object: Draft): void {
  const binding = object as unknown as Binding;
  binding.roleRef ??= {};
  binding.roleRef.apiGroup ||= group;
  for (const subject of binding.subjects ?? []) {
    if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ||= group;
  }
}

function bindingProblems(object: KubeObject, isNamespaced: boolean): Problems {
  const { apiGroup = '', kind = '', name = '' } = refOf(object);
  const kinds = isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  const found = new Problems();
  if (apiGroup !== group) found.notSupported('roleRef.apiGroup', apiGroup, [group]);
  if (!kinds.includes(kind)) found.notSupported('roleRef.kind', kind, kinds);
  if (name === '') found.required('roleRef.name');
  else found.format('roleRef.name', name, pathSegment);
  (object as unknown as Binding).subjects?.forEach((subject, index) => {
    subjectProblems(found, `subjects[${index}]`, subject, isNamespaced);
  });
  return found;
}

function subjectProblems(found: Problems, path: string, subject: Unchecked<Subject>, isNamespaced: boolean): void {
  const { kind = '', name = '', apiGroup = '', namespace = '' } = subject;
  if (name === '') found.required(`${path}.name`);
  if (kind === 'ServiceAccount') {
    if (name !== '') found.format(`${path}.name`, name, dns1123Subdomain);
    if (apiGroup !== '') found.notSupported(`${path}.apiGroup`, apiGroup, ['']);
    if (!isNamespaced && namespace === '') found.required(`${path}.namespace`);
  } else if (kind === 'User' || kind === 'Group') {
    if (apiGroup !== group) found.notSupported(`${path}.apiGroup`, apiGroup, [group]);
  } else found.notSupported(`${path}.kind`, kind, ['ServiceAccount', 'User', 'Group']);
}

function refOf(object: KubeObject): NonNullable<Binding['roleRef']> {
  return (object as unknown as Binding).roleRef ?? {};
}
