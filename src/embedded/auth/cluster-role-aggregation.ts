import type { Json, KubeObject } from '../../kube/manifest.js';
import type { Caller, Verbs } from '../api-server.js';
import type { Controller, Queue } from '../controllers/controller.js';
import { equal } from '../fields/field-type.js';
import type { Kinds } from '../kinds/kinds.js';
import type { ObjectStore, Revision } from '../object-store.js';
import { type LabelSelector, matches } from '../rules/label-selector.js';
import type { PolicyRule } from './policy-rule.js';
import { clusterRoles, rbac } from './role-index.js';

const manager = 'clusterrole-aggregation-controller';

/**
 * Keeps in every ClusterRole with an aggregationRule the rules of those that it selects. Keys are names.
 *
 * https://kubernetes.io/docs/reference/access-authn-authz/rbac/#aggregated-clusterroles
 */
export class ClusterRoleAggregation implements Controller {
  readonly name = manager;
  readonly hears = [clusterRoles];

  /** Those that ever gathered rules: few, and a cluster begins with a hundred roles. */
  readonly #gathering = new Set<string>();

  constructor(
    private readonly server: Verbs,
    private readonly kinds: Kinds,
    private readonly store: ObjectStore,
    private readonly caller: Caller,
  ) {}

  observe({ object }: Revision, queue: Queue): void {
    if (selectorsOf(object)) this.#gathering.add(object.metadata.name);
    for (const name of this.#gathering) queue.add(name);
  }

  reconcile(name: string): void {
    const role = this.store.get(clusterRoles, undefined, name);
    const kind = this.kinds.resource(rbac, 'v1', 'clusterroles');
    if (!role || !kind || !selectorsOf(role)) return;
    const rules = aggregatedRules(role, this.store.list(clusterRoles));
    if (equal(rules as unknown as Json, (role['rules'] as Json | undefined) ?? [])) return;
    const body = { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name }, rules } as unknown as Json;
    const request = { caller: this.caller, fieldManager: manager, force: true };
    this.server.patch(kind, { name }, { type: 'apply', body }, request);
  }
}

/** What a ClusterRole with an aggregationRule gathers from `all`, in the order of selectors and of names. */
export function aggregatedRules(role: KubeObject, all: readonly KubeObject[]): readonly PolicyRule[] {
  const rules: PolicyRule[] = [];
  for (const selector of selectorsOf(role) ?? []) {
    for (const other of all) {
      if (other.metadata.name === role.metadata.name || !matches(selector, other.metadata.labels)) continue;
      for (const rule of (other['rules'] as readonly PolicyRule[] | null | undefined) ?? []) {
        if (!rules.some((each) => equal(each as unknown as Json, rule as unknown as Json))) rules.push(rule);
      }
    }
  }
  return rules;
}

function selectorsOf(role: KubeObject): readonly LabelSelector[] | undefined {
  const rule = role['aggregationRule'] as { readonly clusterRoleSelectors?: readonly LabelSelector[] } | undefined;
  return rule && (rule.clusterRoleSelectors ?? []);
}
