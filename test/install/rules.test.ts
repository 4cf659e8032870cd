import { describe, expect, it } from '@jest/globals';
import type { InstalledOperator } from '../../src/install/installed-operator.js';
import { controllerRules, leaderElectionRules } from '../../src/install/rules.js';
import { webhookBundleRules, webhookSecretRules } from '../../src/install/webhooks.js';
import type { ApiResource } from '../../src/kube/api-resource.js';
import type { PolicyRule } from '../../src/kube/policy-rule.js';
import { anOperator, configMaps, daemonSets, deployments, nodes, pods, secrets, services } from './an-operator.js';

/** Rules as lines that a person can compare. */
const lines = (rules: readonly PolicyRule[]) =>
  rules.map(
    ({ apiGroups, resources, resourceNames, verbs }) =>
      `${apiGroups.join()}/${resources.join()}${resourceNames ? `[${resourceNames.join()}]` : ''}: ${verbs.join()}`,
  );

type ReviewedParts = Pick<InstalledOperator['resource'], 'isConvertible' | 'admission'>;

const ownRules = [
  'cache.example.com/memcacheds: get,list,watch',
  'cache.example.com/memcacheds/status: patch',
  'events.k8s.io/events: create,patch',
];

/** Children of the custom resource block its deletion in the foreground. */
const blockingRule = 'cache.example.com/memcacheds/finalizers: update';

describe('the rights of a controller', () => {
  it.each<[string, readonly ApiResource[], readonly ApiResource[], readonly string[]]>([
    ['owns and reads nothing', [], [], []],
    ['owns one kind', [deployments], [], [blockingRule, 'apps/deployments: list,watch,create,patch,delete']],
    [
      'owns two of a group',
      [deployments, daemonSets],
      [],
      [blockingRule, 'apps/daemonsets,deployments: list,watch,create,patch,delete'],
    ],
    [
      'owns two of two groups',
      [services, deployments],
      [],
      [blockingRule, '/services: list,watch,create,patch,delete', 'apps/deployments: list,watch,create,patch,delete'],
    ],
    ['reads one kind', [], [pods], ['/pods: list,watch']],
    ['reads what it owns', [configMaps], [configMaps], [blockingRule, '/configmaps: list,watch,create,patch,delete']],
    ['reads two, one of them twice', [], [pods, nodes, pods], ['/nodes,pods: list,watch']],
    ['declares Secrets', [], [secrets], ['/secrets: list,watch']],
  ])('of one that %s are those that the runtime uses', (_, owns, reads, expected) => {
    expect(lines(controllerRules([anOperator({ owns, reads })])).sort()).toEqual([...expected, ...ownRules].sort());
  });

  it('of two operators are the sum', () => {
    const rules = lines(
      controllerRules([anOperator({ owns: [services] }), anOperator({ kind: 'Foo', reads: [services] })]),
    );
    expect(rules).toContain('/services: list,watch,create,patch,delete');
    expect(rules).toContain('cache.example.com/foos,memcacheds: get,list,watch');
  });

  it('let block the deletion of those custom resources alone that have children', () => {
    const rules = lines(controllerRules([anOperator({ owns: [services] }), anOperator({ kind: 'Foo' })]));
    expect(rules.filter((rule) => rule.includes('finalizers'))).toEqual([blockingRule]);
  });

  it.each([
    ['reaches further', { reach: 'consent' as const }, true],
    ['leaves to a field what becomes of children', { removalOf: () => 'orphan' }, true],
    ['has something outside', { external: { booking: {} } }, true],
    ['has children beside it alone', {}, false],
  ])('let put a finalizer on the custom resources of an operator that %s: %j', (_, more, isGranted) => {
    const rules = controllerRules([{ ...anOperator({ owns: [services] }), ...more }]);
    const granted = rules.filter(({ resources }) => resources?.includes('memcacheds')).flatMap(({ verbs }) => verbs);
    expect(granted.includes('patch')).toBe(isGranted);
  });

  it('do not depend on the order in which operators and kinds are named', () => {
    const a = anOperator({ owns: [services, deployments], reads: [pods, nodes] });
    const b = anOperator({ kind: 'Foo', owns: [deployments] });
    const a2 = anOperator({ owns: [deployments, services], reads: [nodes, pods] });
    expect(controllerRules([a, b])).toEqual(controllerRules([b, a2]));
  });

  it('hold what its author says beside them, once and last', () => {
    const bind = { apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'], verbs: ['bind'] };
    const rights = [
      { ...bind, resourceNames: ['edit'] },
      { ...bind, resourceNames: ['admin'] },
    ];
    const [a, b] = [
      { ...anOperator({ owns: [services] }), rights },
      { ...anOperator({ kind: 'Foo' }), rights },
    ];
    const [last, first] = [lines(controllerRules([a, b])).slice(-2), lines(controllerRules([a, b])).slice(0, -2)];
    expect(last).toEqual([
      'rbac.authorization.k8s.io/clusterroles[admin]: bind',
      'rbac.authorization.k8s.io/clusterroles[edit]: bind',
    ]);
    expect(first).toEqual(lines(controllerRules([anOperator({ owns: [services] }), anOperator({ kind: 'Foo' })])));
  });

  it.each<[string, Partial<ReviewedParts>, readonly string[], object?]>([
    [
      'judged',
      { admission: { validates: true, mutates: false } },
      ['admissionregistration.k8s.io/validatingwebhookconfigurations[a-webhook]: list,watch,patch'],
    ],
    [
      'converted',
      { isConvertible: true },
      ['apiextensions.k8s.io/customresourcedefinitions[foos.cache.example.com]: list,watch,patch'],
    ],
    [
      'converted, by who serves some namespaces and has its definition',
      { isConvertible: true },
      [
        'apiextensions.k8s.io/customresourcedefinitions[foos.cache.example.com]: list,watch,patch',
        'cache.example.com/foos: list',
      ],
      { watchNamespaces: ['a'] },
    ],
    [
      'converted, by who serves some namespaces and leaves its definition to others',
      { isConvertible: true },
      ['apiextensions.k8s.io/customresourcedefinitions[foos.cache.example.com]: list,watch,patch'],
      { watchNamespaces: ['a'], definitions: false },
    ],
    ['neither', {}, [], { watchNamespaces: ['a'] }],
  ])(
    'to say who vouches for webhooks reach nothing but what asks them, for a kind that is %s',
    (_, parts, expected, props = {}) => {
      const foo = anOperator({ kind: 'Foo' });
      const reviewed = { ...foo, resource: { ...foo.resource, ...parts } };
      expect(lines(webhookBundleRules('a', { ...props, operators: [anOperator(), reviewed] }))).toEqual(expected);
    },
  );

  it('to keep the certificate of webhooks read and change one Secret', () => {
    expect(lines(webhookSecretRules('a'))).toEqual(['/secrets: create', '/secrets[a-webhook]: get,update']);
  });

  it('to lead reach one Lease', () => {
    expect(lines(leaderElectionRules('memcached-operator'))).toEqual([
      'coordination.k8s.io/leases: create',
      'coordination.k8s.io/leases[memcached-operator]: get,update,watch',
    ]);
  });
});
