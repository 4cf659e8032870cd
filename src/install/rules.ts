import { type ApiResource, groupOf } from '../kube/api-resource.js';
import { namespaceKind } from '../kube/consent.js';
import type { PolicyRule } from '../kube/policy-rule.js';
import type { InstalledOperator } from './installed-operator.js';

/** In the order in which people list them. */
const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'] as const;

type Verb = (typeof verbs)[number];

interface Grant {
  readonly group: string;
  readonly resource: string;
  readonly verbs: readonly Verb[];
}

/**
 * What the runtime asks of the API server for `operators`, and nothing else.
 *
 * | on | verbs | because |
 * | --- | --- | --- |
 * | the custom resource | get, list, watch | it is read from the store that a watch fills, and read itself before a child is pruned |
 * | its `status` | patch | status is applied to the subresource |
 * | the custom resource | patch, with `reach`, `removal` or `external` | its finalizer is there while something is out of the reach of owner references |
 * | Namespaces | list, watch, with `reach: consent` | their annotations say what they consent to |
 * | its `finalizers` | update, where `owns` names a kind | children carry `blockOwnerDeletion`, which the server may ask this right for |
 * | each kind of `owns` | list, watch, create, patch, delete | children are created by POST, changed by apply, pruned |
 * | each kind of `reads` | list, watch | inputs are read from stores too, and listed before a child is pruned |
 * | events | create, patch | one event a change of state, repeated ones counted up |
 * | what its `rights` say | as they say | what its children grant to others, which an account has to have, or to be let grant |
 */
export function controllerRules(operators: readonly InstalledOperator[]): readonly PolicyRule[] {
  const more = operators.flatMap(({ rights = [] }) => rights.map(inOrder));
  const distinct = new Map(more.map((rule) => [JSON.stringify(rule), rule]));
  return [...usedRules(operators), ...[...distinct].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rule]) => rule)];
}

function inOrder({ apiGroups, resources, resourceNames, verbs: granted }: PolicyRule): PolicyRule {
  const names = resourceNames === undefined ? {} : { resourceNames: [...resourceNames] };
  return { apiGroups: [...apiGroups], resources: [...resources], ...names, verbs: [...granted] };
}

function usedRules(operators: readonly InstalledOperator[]): readonly PolicyRule[] {
  return merge([
    ...operators.flatMap(({ resource, owns, reads, reach = 'namespace', removalOf, external = {} }) => [
      grant(resource, ['get', 'list', 'watch']),
      ...(reach === 'namespace' && removalOf === undefined && Object.keys(external).length === 0
        ? []
        : [grant(resource, ['patch'])]),
      ...(reach === 'consent' ? [grant(namespaceKind, ['list', 'watch'])] : []),
      grant(resource, ['patch'], 'status'),
      ...(owns.length === 0 ? [] : [grant(resource, ['update'], 'finalizers')]),
      ...owns.map((child) => grant(child, ['list', 'watch', 'create', 'patch', 'delete'])),
      ...Object.values(reads).map((read) => grant(read.resource, ['list', 'watch'])),
    ]),
    { group: 'events.k8s.io', resource: 'events', verbs: ['create', 'patch'] },
  ]);
}

/**
 * Leader election in the operator's own namespace, on the one Lease of this name.
 *
 * Creation cannot be limited to a name, because the server authorises it before it reads the object.
 */
export function leaderElectionRules(leaseName: string): readonly PolicyRule[] {
  const leases = { apiGroups: ['coordination.k8s.io'], resources: ['leases'] };
  return [
    { ...leases, verbs: ['create'] },
    { ...leases, resourceNames: [leaseName], verbs: ['get', 'update', 'watch'] },
  ];
}

/** How the metrics endpoint finds out who asks, and whether they may. */
export const metricsAuthRules: readonly PolicyRule[] = [
  { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
  { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
];

/** What a scraper needs, such as the account of Prometheus. Bound by whoever runs it. */
export const metricsReaderRules = [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }];

function grant({ apiVersion, plural }: ApiResource, granted: readonly Verb[], subresource?: string): Grant {
  const resource = subresource === undefined ? plural : `${plural}/${subresource}`;
  return { group: groupOf(apiVersion), resource, verbs: granted };
}

/** One rule for all resources of a group with the same verbs, sorted, so that equal operators give equal roles. */
function merge(grants: readonly Grant[]): readonly PolicyRule[] {
  const verbsOf = new Map<string, Set<Verb>>();
  for (const { group, resource, verbs: granted } of grants) {
    const key = JSON.stringify([group, resource]);
    verbsOf.set(key, new Set([...(verbsOf.get(key) ?? []), ...granted]));
  }
  const rules = new Map<string, { group: string; resources: string[]; verbs: readonly Verb[] }>();
  for (const [key, granted] of [...verbsOf].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [group, resource] = JSON.parse(key) as [string, string];
    const ordered = verbs.filter((verb) => granted.has(verb));
    const rule = rules.get(`${group} ${ordered.join()}`) ?? { group, resources: [], verbs: ordered };
    rule.resources.push(resource);
    rules.set(`${group} ${ordered.join()}`, rule);
  }
  return [...rules.values()].map(({ group, resources, verbs: ordered }) => ({
    apiGroups: [group],
    resources,
    verbs: ordered,
  }));
}
