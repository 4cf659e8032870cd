import type { KubeObject } from '../../kube/manifest.js';
import { goQuote } from '../../schema/go-format.js';
import type { Caller } from '../api-server.js';
import type { Draft } from '../draft.js';
import { equal } from '../fields/field-type.js';
import { forbidden, notFound } from '../status-error.js';
import type { Authorizer } from './authorizer.js';
import { goQuotes, notCovered } from './coverage.js';
import type { PolicyRule } from './policy-rule.js';
import { bindingOf, type RoleRef, rbac } from './role-index.js';
import { masters } from './subject.js';

const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/**
 * Refuses a Role, ClusterRole or binding that allows what the one who writes it may not do, by throwing a `StatusError`
 * (403). Called before each write of such an object, after defaults; `old` is absent on a create. Does nothing for any
 * other kind.
 *
 * https://kubernetes.io/docs/reference/access-authn-authz/rbac/#privilege-escalation-prevention-and-bootstrapping
 */
export function refuseEscalation(
  storage: string,
  caller: Caller,
  object: Draft | KubeObject,
  old: KubeObject | undefined,
  authorizer: Authorizer,
): void {
  const [plural = '', ...group] = storage.split('.');
  if (group.join('.') !== rbac || caller.groups.includes(masters)) return;
  const escalation = new Escalation(plural, caller, object as KubeObject, old, authorizer);
  if (plural === 'roles' || plural === 'clusterroles') escalation.refuseRole();
  else escalation.refuseBinding();
}

class Escalation {
  readonly #namespace: string;

  constructor(
    private readonly plural: string,
    private readonly caller: Caller,
    private readonly object: KubeObject,
    private readonly old: KubeObject | undefined,
    private readonly authorizer: Authorizer,
  ) {
    this.#namespace = plural.startsWith('cluster') ? '' : (object.metadata.namespace ?? '');
  }

  refuseRole(): void {
    // A create names nothing in its path, so permission by name does not help it.
    const name = this.old?.metadata.name ?? '';
    if (this.#may('escalate', this.plural, name) || this.#isOnlyCollected()) return;
    this.#refuseBeyond((this.object['rules'] as readonly PolicyRule[] | null | undefined) ?? []);
    if (this.plural === 'clusterroles' && (aggregates(this.object) || aggregates(this.old))) {
      this.#refuseBeyond(everything, 'must have cluster-admin privileges to use the aggregationRule');
    }
  }

  refuseBinding(): void {
    if (this.#isOnlyCollected()) return;
    const { roleRef } = bindingOf(this.object);
    const plural = roleRef.kind === 'ClusterRole' ? 'clusterroles' : 'roles';
    if (this.#may('bind', plural, roleRef.name, roleRef)) return;
    const rules = this.authorizer.rulesOf(roleRef, this.#namespace);
    // The server names the kind of the request here, and not that of the role.
    if (rules === undefined) throw notFound({ group: rbac, name: this.plural }, roleRef.name);
    this.#refuseBeyond(rules);
  }

  #refuseBeyond(rules: readonly PolicyRule[], words?: string): void {
    const held = this.authorizer.rulesFor(this.caller, this.#namespace);
    const missing = notCovered(held.rules, rules);
    if (missing.length === 0) return;
    const { name, groups } = this.caller;
    const problem = held.problem === '' ? '' : `; resolution errors: [${held.problem}]`;
    const message = `user ${goQuote(name)} (groups=${goQuotes(groups)}) is attempting to grant RBAC permissions not currently held:\n`;
    const because = words ?? `${message}${missing.join('\n')}${problem}`;
    throw forbidden({ group: rbac, name: this.plural }, this.object.metadata.name, because);
  }

  #may(verb: string, resource: string, name: string, { apiGroup }: Partial<RoleRef> = {}): boolean {
    const action = { verb, group: apiGroup ?? rbac, version: '*', resource, name, namespace: this.#namespace };
    return this.authorizer.decide(this.caller, action).allowed;
  }

  /** The garbage collector may change what it needs to, whatever the role allows. */
  #isOnlyCollected(): boolean {
    return this.old !== undefined && equal(withoutOwners(this.object), withoutOwners(this.old));
  }
}

function aggregates(role: KubeObject | undefined): boolean {
  const rule = role?.['aggregationRule'] as { readonly clusterRoleSelectors?: readonly unknown[] | null } | undefined;
  return (rule?.clusterRoleSelectors?.length ?? 0) > 0;
}

function withoutOwners({ metadata, ...object }: KubeObject) {
  const { ownerReferences, finalizers, managedFields, selfLink, ...rest } = metadata;
  return { ...object, metadata: rest } as Parameters<typeof equal>[0];
}
