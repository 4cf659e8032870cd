import type { Manifest } from '../../kube/manifest.js';
import { controllerClusterRoles } from './controller-cluster-roles.js';
import { defaultClusterRoles } from './default-cluster-roles.js';
import { rbac } from './role-index.js';
import { type RuleLines, ruleOf } from './rule-line.js';

/** Roles that gather the rules of others, with the labels that they have themselves. */
const aggregating: Readonly<Record<string, readonly string[]>> = {
  admin: [],
  edit: ['admin'],
  view: ['edit'],
};

/** By namespace and name. */
const roles: Readonly<Record<string, RuleLines>> = {
  'kube-public/system:controller:bootstrap-signer': [
    'get,list,watch - configmaps',
    'update - configmaps cluster-info',
    'create,patch,update -,events.k8s.io events',
  ],
  'kube-system/extension-apiserver-authentication-reader': [
    'get,list,watch - configmaps extension-apiserver-authentication',
  ],
  'kube-system/system::leader-locking-kube-controller-manager': leaderLock(),
  'kube-system/system::leader-locking-kube-scheduler': leaderLock(),
  'kube-system/system:controller:bootstrap-signer': ['get,list,watch - secrets'],
  'kube-system/system:controller:cloud-provider': ['create,get,list,watch - configmaps'],
  'kube-system/system:controller:token-cleaner': [
    'delete,get,list,watch - secrets',
    'create,patch,update -,events.k8s.io events',
  ],
};

/** The subjects of ClusterRoleBindings, each of which has the name of its role. */
const clusterBindings: Readonly<Record<string, readonly string[]>> = {
  'cluster-admin': ['Group system:masters'],
  'system:basic-user': ['Group system:authenticated'],
  'system:discovery': ['Group system:authenticated'],
  'system:kube-controller-manager': ['User system:kube-controller-manager'],
  'system:kube-dns': ['ServiceAccount kube-system/kube-dns'],
  'system:kube-scheduler': ['User system:kube-scheduler'],
  'system:monitoring': ['Group system:monitoring'],
  'system:node': [],
  'system:node-proxier': ['User system:kube-proxy'],
  'system:public-info-viewer': ['Group system:authenticated', 'Group system:unauthenticated'],
  'system:service-account-issuer-discovery': ['Group system:serviceaccounts'],
  'system:volume-scheduler': ['User system:kube-scheduler'],
};

const bindings: Readonly<Record<string, readonly string[]>> = {
  'kube-public/system:controller:bootstrap-signer': ['ServiceAccount kube-system/bootstrap-signer'],
  'kube-system/system::extension-apiserver-authentication-reader': [
    'User system:kube-controller-manager',
    'User system:kube-scheduler',
  ],
  'kube-system/system::leader-locking-kube-controller-manager': [
    'User system:kube-controller-manager',
    'ServiceAccount kube-system/kube-controller-manager',
    'ServiceAccount kube-system/leader-election-controller',
  ],
  'kube-system/system::leader-locking-kube-scheduler': [
    'User system:kube-scheduler',
    'ServiceAccount kube-system/kube-scheduler',
  ],
  'kube-system/system:controller:bootstrap-signer': ['ServiceAccount kube-system/bootstrap-signer'],
  'kube-system/system:controller:cloud-provider': ['ServiceAccount kube-system/cloud-provider'],
  'kube-system/system:controller:token-cleaner': ['ServiceAccount kube-system/token-cleaner'],
};

/** What a new cluster allows: https://kubernetes.io/docs/reference/access-authn-authz/rbac/#default-roles-and-role-bindings */
export function defaultRoles(): readonly Manifest[] {
  const controllers = Object.keys(controllerClusterRoles);
  return [
    ...Object.entries(aggregating).map(([name, into]) => aggregatingRole(name, into)),
    ...Object.entries({ ...defaultClusterRoles, ...controllerClusterRoles }).map(([name, lines]) =>
      object('ClusterRole', name, { rules: lines.map(ruleOf) }, name.match(/^system:aggregate-to-(.*)/)?.slice(1)),
    ),
    ...Object.entries(roles).map(([name, lines]) => object('Role', name, { rules: lines.map(ruleOf) })),
    ...Object.entries(clusterBindings).map(([name, subjects]) => binding('ClusterRole', name, subjects)),
    ...controllers.map((name) =>
      binding('ClusterRole', name, [`ServiceAccount kube-system/${name.replace('system:controller:', '')}`]),
    ),
    ...Object.entries(bindings).map(([name, subjects]) => binding('Role', name, subjects)),
  ];
}

function leaderLock(): RuleLines {
  const verbs = 'create,get,list,update,watch';
  return [`${verbs} coordination.k8s.io leases`, `${verbs} coordination.k8s.io leasecandidates`];
}

function aggregatingRole(name: string, into: readonly string[]): Manifest {
  const matchLabels = { [`${rbac}/aggregate-to-${name}`]: 'true' };
  return object('ClusterRole', name, { aggregationRule: { clusterRoleSelectors: [{ matchLabels }] } }, into);
}

function binding(kind: 'ClusterRole' | 'Role', fullName: string, subjects: readonly string[]): Manifest {
  const name = fullName.replace(/^.*\//, '');
  return object(`${kind}Binding`, fullName, {
    roleRef: { apiGroup: rbac, kind, name: name.replace(/^system::(?=extension)/, '') },
    ...(subjects.length === 0 ? {} : { subjects: subjects.map(subjectOf) }),
  });
}

function subjectOf(text: string): object {
  const [kind = '', name = ''] = text.split(' ');
  const [namespace, account] = name.split('/');
  return kind === 'ServiceAccount' ? { kind, name: account, namespace } : { apiGroup: rbac, kind, name };
}

function object(kind: string, fullName: string, content: object, aggregatedInto: readonly string[] = []): Manifest {
  const [name = '', namespace] = fullName.split('/').reverse();
  const into = aggregatedInto.map((role) => [`${rbac}/aggregate-to-${role}`, 'true']);
  return {
    apiVersion: `${rbac}/v1`,
    kind,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...Object.fromEntries(into) },
      annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
    },
    ...content,
  };
}
