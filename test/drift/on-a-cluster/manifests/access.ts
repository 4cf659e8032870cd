import { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '../../../../imports/k8s.js';
import { casesOf, type ManifestCase } from './manifest-case.js';

const apiGroup = 'rbac.authorization.k8s.io';
const rules = [
  { apiGroups: ['apps', ''], resources: ['pods', 'deployments'], verbs: ['watch', 'get', 'list'] },
  { apiGroups: [''], resources: ['configmaps'], resourceNames: ['b', 'a'], verbs: ['update'] },
];

export const access: readonly ManifestCase[] = [
  ...casesOf(Role, {
    'with rules': { rules },
    'without rules': { rules: [] },
    'with nothing at all': {},
    'with rules that are null': { rules: null },
    'with empty lists in a rule': {
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'], resourceNames: [] }],
    },
  }),
  ...casesOf(RoleBinding, {
    'of a user, a group and an account': {
      roleRef: { kind: 'Role', name: 'none', apiGroup },
      subjects: [
        { kind: 'User', name: 'ada' },
        { kind: 'Group', name: 'g', apiGroup },
        { kind: 'ServiceAccount', name: 'a', namespace: 'default' },
      ],
    },
    'that leaves the group of its role out': { roleRef: { kind: 'ClusterRole', name: 'view' }, subjects: [] },
    'without subjects': { roleRef: { kind: 'ClusterRole', name: 'view', apiGroup: '' } },
  }),
];

/** What is in no namespace. */
export const clusterAccess: readonly ManifestCase[] = [
  ...casesOf(ClusterRole, {
    'with rules': { rules: [...rules, { nonResourceURLs: ['/b', '/a'], verbs: ['get'] }] },
    'that gathers others': {
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { 'samples.example.com/none': 'x' } }] },
      rules: [],
    },
    'with nothing at all': {},
  }),
  ...casesOf(ClusterRoleBinding, {
    'of two users': {
      roleRef: { kind: 'ClusterRole', name: 'view' },
      subjects: [
        { kind: 'User', name: 'b' },
        { kind: 'User', name: 'a', apiGroup, namespace: '' },
      ],
    },
    'without subjects': { roleRef: { kind: 'ClusterRole', name: 'none', apiGroup }, subjects: null },
  }),
];
