import type { KubeObject } from '../../kube/manifest.js';
import type { ObjectStore, Revision } from '../object-store.js';
import type { PolicyRule } from './policy-rule.js';
import { keyOfSubject, type Subject } from './subject.js';

export interface RoleRef {
  readonly apiGroup?: string;
  readonly kind: string;
  readonly name: string;
}

/** A RoleBinding or a ClusterRoleBinding, as far as decisions look at it. */
export interface Binding {
  readonly name: string;
  /** Empty for a ClusterRoleBinding. */
  readonly namespace: string;
  readonly roleRef: RoleRef;
  readonly subjects: readonly Subject[];
}

export const rbac = 'rbac.authorization.k8s.io';
export const clusterRoles = `clusterroles.${rbac}`;
const roles = `roles.${rbac}`;
const clusterRoleBindings = `clusterrolebindings.${rbac}`;
const roleBindings = `rolebindings.${rbac}`;

const none: readonly Binding[] = [];

/** The roles and bindings of a store, found by who is bound. It follows the store for as long as it is not closed. */
export class RoleIndex {
  /** By namespace and subject. */
  readonly #bindings = new Map<string, Map<string, readonly Binding[]>>();
  /** By namespace, which is empty for ClusterRoles, and name. */
  readonly #rules = new Map<string, Map<string, readonly PolicyRule[]>>();
  readonly close: () => void;

  constructor(store: ObjectStore) {
    for (const resource of [clusterRoles, roles]) {
      for (const role of store.list(resource)) this.#setRole(role);
    }
    for (const resource of [clusterRoleBindings, roleBindings]) {
      for (const binding of store.list(resource)) this.#add(bindingOf(binding));
    }
    this.close = store.listen((change) => this.#follow(change));
  }

  /** The bindings of a subject in a namespace, or of ClusterRoleBindings where the namespace is empty, by name. */
  bindings(namespace: string, subject: string): readonly Binding[] {
    return this.#bindings.get(namespace)?.get(subject) ?? none;
  }

  /** What a role allows, seen from a binding in `namespace`. Undefined when there is no such role. */
  rules({ kind, name }: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    if (kind !== 'ClusterRole' && namespace === '') return undefined;
    return this.#rules.get(kind === 'ClusterRole' ? '' : namespace)?.get(name);
  }

  #follow({ type, resource, object, before }: Revision): void {
    switch (resource) {
      case clusterRoles:
      case roles:
        if (type === 'DELETED') this.#rules.get(object.metadata.namespace ?? '')?.delete(object.metadata.name);
        else this.#setRole(object);
        return;
      case clusterRoleBindings:
      case roleBindings:
        if (before) this.#remove(bindingOf(before));
        if (type !== 'DELETED') this.#add(bindingOf(object));
    }
  }

  #setRole({ metadata: { namespace = '', name }, ...role }: KubeObject): void {
    let ofNamespace = this.#rules.get(namespace);
    if (!ofNamespace) {
      ofNamespace = new Map();
      this.#rules.set(namespace, ofNamespace);
    }
    ofNamespace.set(name, (role['rules'] as readonly PolicyRule[] | null | undefined) ?? []);
  }

  #add(binding: Binding): void {
    let ofNamespace = this.#bindings.get(binding.namespace);
    if (!ofNamespace) {
      ofNamespace = new Map();
      this.#bindings.set(binding.namespace, ofNamespace);
    }
    for (const subject of keysOf(binding)) {
      const others = ofNamespace.get(subject) ?? none;
      const place = others.findIndex(({ name }) => name > binding.name);
      ofNamespace.set(subject, others.toSpliced(place < 0 ? others.length : place, 0, binding));
    }
  }

  #remove({ namespace, name, ...binding }: Binding): void {
    const ofNamespace = this.#bindings.get(namespace);
    for (const subject of keysOf({ namespace, name, ...binding })) {
      const others = ofNamespace?.get(subject)?.filter((other) => other.name !== name) ?? none;
      if (others.length > 0) ofNamespace?.set(subject, others);
      else ofNamespace?.delete(subject);
    }
    if (ofNamespace?.size === 0) this.#bindings.delete(namespace);
  }
}

export function bindingOf({ metadata: { name, namespace = '' }, ...binding }: KubeObject): Binding {
  const subjects = (binding['subjects'] as readonly Subject[] | null | undefined) ?? [];
  return { name, namespace, roleRef: binding['roleRef'] as RoleRef, subjects };
}

function keysOf({ subjects, namespace }: Binding): Set<string> {
  const keys = subjects.map((subject) => keyOfSubject(subject, namespace));
  return new Set(keys.filter((key) => key !== undefined));
}
