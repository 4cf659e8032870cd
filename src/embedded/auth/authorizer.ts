import { goQuote } from '../../schema/go-format.js';
import type { Caller } from '../api-server.js';
import type { Attributes } from '../engine.js';
import type { ObjectStore } from '../object-store.js';
import { type Action, allows, isPath, type PolicyRule } from './policy-rule.js';
import { refusal } from './refusal.js';
import { type Binding, RoleIndex, type RoleRef, rbac } from './role-index.js';
import { keyOfSubject, keysOf, masters } from './subject.js';

export interface Decision {
  readonly allowed: boolean;
  /** Which binding allows it, or what is wrong with bindings that might have. Mostly empty for a refusal. */
  readonly reason: string;
}

const byMembership: Decision = { allowed: true, reason: '' };
const refused: Decision = { allowed: false, reason: '' };

/**
 * Decides by the Roles and bindings of a store: https://kubernetes.io/docs/reference/access-authn-authz/rbac/
 *
 * A change in the store counts from the moment it is made. Members of `system:masters` may do everything.
 */
export class Authorizer {
  readonly #index: RoleIndex;

  constructor(store: ObjectStore) {
    this.#index = new RoleIndex(store);
  }

  decide(caller: Caller, action: Action): Decision {
    if (caller.groups.includes(masters)) return byMembership;
    const keys = keysOf(caller);
    const missing = new Set<string>();
    for (const scope of scopesOf(isPath(action) ? undefined : action.namespace)) {
      for (const key of keys) {
        for (const binding of this.#index.bindings(scope, key)) {
          const rules = this.#index.rules(binding.roleRef, scope);
          if (rules === undefined) missing.add(absent(binding.roleRef));
          else if (rules.some((rule) => allows(rule, action))) {
            return { allowed: true, reason: `RBAC: allowed by ${shown(binding, keys)}` };
          }
        }
      }
    }
    return missing.size === 0 ? refused : { allowed: false, reason: `RBAC: ${aggregated([...missing])}` };
  }

  /** Throws a `StatusError` (403) when the caller may not. Bound, so that it can be handed out as a function. */
  readonly authorize = (caller: Caller, action: Attributes | Action): void => {
    const { allowed, reason } = this.decide(caller, action);
    if (!allowed) throw refusal(caller, action, reason);
  };

  /** All that a caller may do, in a namespace and in the whole cluster, with what is wrong with their bindings. */
  rulesFor(caller: Caller, namespace?: string): { readonly rules: readonly PolicyRule[]; readonly problem: string } {
    const rules: PolicyRule[] = [];
    const missing = new Set<string>();
    for (const scope of scopesOf(namespace)) {
      const bindings = new Set(keysOf(caller).flatMap((key) => this.#index.bindings(scope, key)));
      for (const { roleRef } of [...bindings].sort((a, b) => (a.name < b.name ? -1 : 1))) {
        const its = this.#index.rules(roleRef, scope);
        if (its === undefined) missing.add(absent(roleRef));
        else rules.push(...its);
      }
    }
    return { rules, problem: aggregated([...missing]) };
  }

  /** What a role allows. Undefined when there is no such role. */
  rulesOf(roleRef: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    return this.#index.rules(roleRef, namespace);
  }

  /** Stops following the store. */
  close(): void {
    this.#index.close();
  }
}

/** ClusterRoleBindings hold everywhere. */
function scopesOf(namespace: string | undefined): readonly string[] {
  return namespace ? ['', namespace] : [''];
}

function absent({ kind, name }: RoleRef): string {
  return `${kind.toLowerCase()}.${rbac} ${goQuote(name)} not found`;
}

function aggregated(problems: readonly string[]): string {
  return problems.length > 1 ? `[${problems.join(', ')}]` : (problems[0] ?? '');
}

/** The binding with the first of its subjects that applies, as the server tells it. */
function shown(binding: Binding, keys: readonly string[]): string {
  const { name, namespace, roleRef, subjects } = binding;
  const subject = subjects.find((each) => keys.includes(keyOfSubject(each, namespace) ?? ''));
  const who = subject?.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace || namespace}` : subject?.name;
  const what =
    namespace === '' ? `ClusterRoleBinding ${goQuote(name)}` : `RoleBinding ${goQuote(`${name}/${namespace}`)}`;
  return `${what} of ${roleRef.kind} ${goQuote(roleRef.name)} to ${subject?.kind} ${goQuote(who ?? '')}`;
}
