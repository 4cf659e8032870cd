import type { Judged } from './judged.js';

const rule = (fields: object) => ({ verbs: ['get'], apiGroups: [''], resources: ['pods'], ...fields });
const role = (...rules: object[]) => ({ metadata: { name: 'role' }, rules });

export const roles: Judged = {
  kind: 'Role',
  bodies: [
    ['a rule', role(rule({}))],
    ['nothing', { metadata: { name: 'role' } }],
    ['a name with colons', { metadata: { name: 'system:role' } }],
    ['a name with a slash', { metadata: { name: 'a/b%c' } }],
    ['no verbs', role(rule({ verbs: [] }))],
    ['no groups', role(rule({ apiGroups: [] }))],
    ['no resources', role(rule({ resources: [] }))],
    ['nothing in a rule', role({})],
    ['a path', role({ verbs: ['get'], nonResourceURLs: ['/healthz'] })],
    ['a path and resources', role(rule({ nonResourceURLs: ['/healthz'] }))],
  ],
  changes: [['of verbs', role(rule({})), { rules: [rule({ verbs: ['list'] })] }]],
};

export const clusterRoles: Judged = {
  kind: 'ClusterRole',
  bodies: [
    ['a rule', role(rule({}))],
    ['a path', role({ verbs: ['get'], nonResourceURLs: ['/healthz', '/metrics/*'] })],
    ['a path and resources', role(rule({ nonResourceURLs: ['/healthz'] }))],
    [
      'roles of roles',
      { metadata: { name: 'role' }, aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } },
    ],
    ['roles of no roles', { metadata: { name: 'role' }, aggregationRule: {} }],
    [
      'roles of bad roles',
      { metadata: { name: 'role' }, aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b c' } }] } },
    ],
  ],
};

const binding = (fields: object) => ({
  metadata: { name: 'bind' },
  roleRef: { kind: 'ClusterRole', name: 'view' },
  ...fields,
});

export const roleBindings: Judged = {
  kind: 'RoleBinding',
  bodies: [
    ['nobody', binding({})],
    [
      'all kinds of people',
      binding({
        subjects: [
          { kind: 'User', name: 'a' },
          { kind: 'Group', name: 'b' },
          { kind: 'ServiceAccount', name: 'c' },
        ],
      }),
    ],
    ['a role of another kind', binding({ roleRef: { kind: 'Rule', name: 'a' } })],
    ['a role of another group', binding({ roleRef: { apiGroup: 'a', kind: 'Role', name: 'a' } })],
    ['a role without a name', binding({ roleRef: { kind: 'Role', name: '' } })],
    ['a role with a bad name', binding({ roleRef: { kind: 'Role', name: 'a/b' } })],
    ['somebody of another kind', binding({ subjects: [{ kind: 'Person', name: 'a' }] })],
    ['somebody of another group', binding({ subjects: [{ kind: 'User', name: 'a', apiGroup: 'b' }] })],
    ['an account of a group', binding({ subjects: [{ kind: 'ServiceAccount', name: 'a', apiGroup: 'b' }] })],
    ['an account with a bad name', binding({ subjects: [{ kind: 'ServiceAccount', name: 'A' }] })],
    ['nobody by name', binding({ subjects: [{ kind: 'User', name: '' }] })],
  ],
  changes: [
    ['of the role', binding({}), { roleRef: { name: 'edit' } }],
    ['of the people', binding({}), { subjects: [{ kind: 'User', name: 'a' }] }],
  ],
};

export const clusterRoleBindings: Judged = {
  kind: 'ClusterRoleBinding',
  bodies: [
    ['nobody', binding({})],
    ['an account', binding({ subjects: [{ kind: 'ServiceAccount', name: 'a', namespace: 'b' }] })],
    ['an account of no namespace', binding({ subjects: [{ kind: 'ServiceAccount', name: 'a' }] })],
    ['a role of a namespace', binding({ roleRef: { kind: 'Role', name: 'a' } })],
  ],
  changes: [['of the role', binding({}), { roleRef: { name: 'edit' } }]],
};
