import { type Field, field, type KindGrammar } from './kind-grammar.js';

const rules: readonly Field[] = [
  field('rules.0.verbs', [['get', 'list'], ['*'], ['get']], [[], 'get', [1]]),
  field('rules.0.apiGroups', [[''], ['apps', ''], ['*']], [[], 'x']),
  field('rules.0.resources', [['pods'], ['pods', 'pods/log'], ['*']], [[], {}]),
  field('rules.0.resourceNames', [['one'], []], [[1]]),
  field(
    'rules',
    [[], [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get'] }]],
    [
      'x',
      [{}],
      [{ verbs: ['get'] }],
      [{ apiGroups: [''], resources: ['pods'] }],
      [{ nonResourceURLs: ['/x'], resources: ['pods'], apiGroups: [''], verbs: ['get'] }],
    ],
  ),
];

function binding(kind: string): readonly Field[] {
  return [
    field(
      'roleRef',
      [],
      [
        { apiGroup: 'rbac.authorization.k8s.io', kind, name: 'other' },
        { apiGroup: 'x', kind, name: 'a' },
        { apiGroup: 'rbac.authorization.k8s.io', kind: 'Odd', name: 'a' },
        { kind, name: 'a' },
        {},
      ],
    ),
    field('subjects.0.name', ['me', 'you'], ['', 'a b', 5]),
    field('subjects.0.namespace', ['default', 'other'], ['', 7]),
    field('subjects.0.kind', ['ServiceAccount'], ['User', 'Odd', '']),
    field(
      'subjects',
      [[], [{ kind: 'User', name: 'eve' }], [{ kind: 'Group', name: 'all', apiGroup: 'rbac.authorization.k8s.io' }]],
      ['x', [{ kind: 'User', name: 'eve', apiGroup: 'x' }], [{ kind: 'ServiceAccount', name: 'me' }], [{}]],
    ),
  ];
}

const subject = { kind: 'ServiceAccount', name: 'me', namespace: 'default' };
const ref = (kind: string, name: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name });

export const rbac: readonly KindGrammar[] = [
  {
    resource: 'rbac.authorization.k8s.io/v1/roles',
    kind: 'Role',
    namespaced: true,
    badNames: ['a/b', 'a%b'],
    bases: [{ rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }, { rules: [] }],
    fields: [...rules, field('rules.0.nonResourceURLs', [], [['/healthz'], 'x'])],
  },
  {
    resource: 'rbac.authorization.k8s.io/v1/clusterroles',
    kind: 'ClusterRole',
    namespaced: false,
    bases: [
      { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
      { rules: [{ nonResourceURLs: ['/healthz'], verbs: ['get'] }] },
    ],
    fields: [
      ...rules,
      field('rules.1.nonResourceURLs', [['/x', '/y/*'], ['*']], ['x', ['a*b']]),
      field(
        'aggregationRule',
        [{ clusterRoleSelectors: [{ matchLabels: { agg: 'x' } }] }],
        [{ clusterRoleSelectors: [] }, { clusterRoleSelectors: [{ matchLabels: { 'a b': 'c' } }] }, 'x'],
      ),
    ],
  },
  {
    resource: 'rbac.authorization.k8s.io/v1/rolebindings',
    kind: 'RoleBinding',
    namespaced: true,
    bases: [{ roleRef: ref('Role', 'a'), subjects: [subject] }, { roleRef: ref('ClusterRole', 'view') }],
    fields: binding('Role'),
  },
  {
    resource: 'rbac.authorization.k8s.io/v1/clusterrolebindings',
    kind: 'ClusterRoleBinding',
    namespaced: false,
    bases: [{ roleRef: ref('ClusterRole', 'view'), subjects: [subject] }, { roleRef: ref('ClusterRole', 'edit') }],
    fields: binding('ClusterRole'),
  },
];
