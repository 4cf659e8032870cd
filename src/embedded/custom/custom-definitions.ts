// Longer than most files: one life cycle, from the first name to the last object.
import type { Clock } from '../../kube/clock.js';
import type { Json, KubeObject } from '../../kube/manifest.js';
import { isSameJson } from '../../schema/same-json.js';
import type { Verbs } from '../api-server.js';
import type { Kinds } from '../kinds/kinds.js';
import type { ServedKind } from '../kinds/served-kind.js';
import type { ObjectStore, Revision } from '../object-store.js';
import type { Reviewers } from '../reviewer.js';
import { StatusError } from '../status-error.js';
import { acceptedNames, withoutEmpty } from './accepted-names.js';
import {
  type CustomDefinition,
  conditionOf,
  type DefinitionCondition,
  type DefinitionStatus,
  definitionStorage,
  isTrue,
  storageOf,
} from './custom-definition.js';
import { customKind } from './custom-kind.js';
import { approvalCondition } from './definition/api-approval.js';
import {
  completed,
  established,
  inProgress,
  installing,
  isEquivalent,
  neverEstablished,
  notAccepted,
  withCondition,
} from './definition/conditions.js';
import { cleanupFinalizer } from './definition/definition-rules.js';

export interface CustomDefinitionsOptions {
  readonly server: Verbs;
  readonly kinds: Kinds;
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly reviewers: Reviewers;
}

/** What is served of a definition, and what it was made of. */
interface Serving {
  readonly definition: CustomDefinition;
  readonly kinds: readonly ServedKind[];
  /** Versions that are not served. */
  readonly others: readonly ServedKind[];
}

/**
 * Looks after CustomResourceDefinitions: gives them their names, serves and withdraws their kinds, and removes the objects
 * of a definition before the definition itself.
 *
 * **Guarantees.** What somebody reads of a definition after a write of it was awaited is established, or says why it is
 * not. A kind is replaced only when its definition has changed.
 */
export class CustomDefinitions {
  readonly #options: CustomDefinitionsOptions;
  readonly #served = new Map<string, Serving>();
  /** Names of the definitions that wait for their objects to go, by how the store calls these. */
  readonly #waiting = new Map<string, string>();
  readonly #due = new Set<string>();
  readonly #stopListening: () => void;
  #isDeferred = false;

  constructor(options: CustomDefinitionsOptions) {
    this.#options = options;
    this.#stopListening = options.store.listen((change) => this.#observe(change));
    // At once: whoever looks through a store that was kept has to find the kinds of its objects.
    for (const { metadata } of options.store.list(definitionStorage)) this.#attempt(metadata.name);
  }

  stop(): void {
    this.#stopListening();
    this.#due.clear();
  }

  #observe({ type, resource, object }: Revision): void {
    if (resource === definitionStorage) this.#add(object.metadata.name);
    else if (type === 'DELETED') {
      const name = this.#waiting.get(resource);
      if (name !== undefined) this.#add(name);
    }
  }

  #add(name: string): void {
    this.#due.add(name);
    if (this.#isDeferred) return;
    this.#isDeferred = true;
    // Once the write that is under way is done, and before anything else happens. `queueMicrotask` may be that of fake timers.
    void Promise.resolve().then(() => {
      this.#isDeferred = false;
      for (const due of this.#due) {
        this.#due.delete(due);
        this.#attempt(due);
      }
    });
  }

  /** Somebody else may have been faster, which the store will tell. */
  #attempt(name: string): void {
    try {
      this.#reconcile(name);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
    }
  }

  #reconcile(name: string): void {
    const definition = this.#find(name);
    if (!definition) {
      this.#forget(name);
      return;
    }
    if (definition.metadata.deletionTimestamp !== undefined) {
      if (definition.metadata.finalizers?.includes(cleanupFinalizer)) this.#clean(definition);
      // One that was applied as if it were being deleted goes with the first write after that.
      else this.#named(definition);
      return;
    }
    this.#serve(this.#established(this.#named(this.#approved(definition))));
  }

  #find(name: string): CustomDefinition | undefined {
    return this.#options.store.get(definitionStorage, undefined, name) as CustomDefinition | undefined;
  }

  /** The definition with the names that it can get. */
  #named(definition: CustomDefinition): CustomDefinition {
    const { spec, status } = definition;
    if (isSameJson(withoutEmpty(spec.names), status?.acceptedNames)) return definition;
    const group = this.#group(spec.group);
    const { names, accepted } = acceptedNames(definition, group);
    const before = conditionOf(definition, 'NamesAccepted');
    if (isSameJson(names, status?.acceptedNames) && before && isEquivalent(before, accepted)) return definition;
    const established = conditionOf(definition, 'Established') ?? notAccepted;
    const next = established.status !== 'True' && accepted.status === 'True' ? installing : established;
    const written = this.#write(definition, { acceptedNames: names }, [accepted, next]);
    this.#reconsider(written);
    return written;
  }

  /** Names that are free again may be what another definition of the group waits for. */
  #reconsider({ metadata, spec }: CustomDefinition): void {
    for (const other of this.#group(spec.group))
      if (other.metadata.name !== metadata.name) this.#add(other.metadata.name);
  }

  #group(group: string): readonly CustomDefinition[] {
    const all = this.#options.store.list(definitionStorage) as unknown as readonly CustomDefinition[];
    return all.filter(({ spec }) => spec.group === group);
  }

  /** Groups of Kubernetes itself say whether somebody approved of them. */
  #approved(definition: CustomDefinition): CustomDefinition {
    const condition = approvalCondition(definition);
    const before = conditionOf(definition, approvalType);
    if (!condition || (before && isEquivalent(before, condition))) return definition;
    return this.#write(definition, {}, [condition]);
  }

  #established(definition: CustomDefinition): CustomDefinition {
    if (!isTrue(definition, 'NamesAccepted') || isTrue(definition, 'Established')) return definition;
    return this.#write(definition, {}, [established]);
  }

  #serve(definition: CustomDefinition): void {
    const { name } = definition.metadata;
    const before = this.#served.get(name);
    if (!isTrue(definition, 'NamesAccepted') && !isTrue(definition, 'Established')) {
      this.#withdraw(before);
      this.#served.delete(name);
      return;
    }
    if (before && isAlike(before.definition, definition)) return;
    const { versions } = definition.spec;
    const { store, reviewers } = this.#options;
    const servedSince = store.revision;
    const kindsOf = (isServed: boolean) =>
      versions
        .filter(({ served }) => served === isServed)
        .map((version) => ({ ...customKind(definition, version.name, reviewers), servedSince }));
    const serving = { definition, kinds: kindsOf(true), others: kindsOf(false) };
    this.#withdraw(before, serving.kinds);
    for (const kind of serving.kinds) this.#options.kinds.serve(kind);
    for (const kind of serving.others) this.#options.kinds.define(kind);
    this.#served.set(name, serving);
  }

  #withdraw({ kinds, others }: Partial<Serving> = {}, next: readonly ServedKind[] = []): void {
    const isNext = (old: ServedKind) => next.some(({ version, kind }) => version === old.version && kind === old.kind);
    for (const kind of kinds ?? []) if (!isNext(kind)) this.#options.kinds.withdraw(kind);
    for (const kind of others ?? []) this.#options.kinds.forget(kind);
  }

  #forget(name: string): void {
    const before = this.#served.get(name);
    this.#served.delete(name);
    this.#withdraw(before);
    for (const [resource, waiting] of this.#waiting) if (waiting === name) this.#waiting.delete(resource);
    const group = name.slice(name.indexOf('.') + 1);
    for (const { metadata } of this.#group(group)) this.#add(metadata.name);
  }

  /** Removes the objects of a definition that is being deleted, and once they are gone lets the definition go. */
  #clean(definition: CustomDefinition): void {
    const storage = storageOf(definition);
    const isKnown = conditionOf(definition, 'Terminating')?.reason === inProgress.reason;
    let next = isKnown ? definition : this.#write(definition, {}, [inProgress]);
    if (isTrue(next, 'Established')) {
      // Set first, so that the removals below are heard.
      this.#waiting.set(storage, next.metadata.name);
      this.#removeObjects(next);
      if (this.#options.store.list(storage).length > 0) return;
      next = this.#find(next.metadata.name) ?? next;
      this.#release(next, completed);
    } else this.#release(next, neverEstablished);
  }

  #removeObjects(definition: CustomDefinition): void {
    const { store, server, reviewers } = this.#options;
    const live = store.list(storageOf(definition)).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const stored = definition.spec.versions.find(({ storage }) => storage);
    if (live.length === 0 || !stored) return;
    const kind = customKind(definition, stored.name, reviewers);
    for (const namespace of new Set(live.map(({ metadata }) => metadata.namespace))) {
      server.deleteCollection(kind, namespace === undefined ? {} : { namespace }, {}, { caller });
    }
  }

  #release(definition: CustomDefinition, condition: DefinitionCondition): void {
    const { finalizers = [] } = definition.metadata;
    const left = finalizers.filter((finalizer) => finalizer !== cleanupFinalizer);
    this.#waiting.delete(storageOf(definition));
    this.#write({ ...definition, metadata: { ...definition.metadata, finalizers: left } }, {}, [condition]);
  }

  /** Writes the status the way of everybody, and returns what is stored then. */
  #write(
    definition: CustomDefinition,
    status: Partial<DefinitionStatus>,
    conditions: readonly DefinitionCondition[],
  ): CustomDefinition {
    const { server, kinds } = this.#options;
    const kind = kinds.resource('apiextensions.k8s.io', 'v1', 'customresourcedefinitions');
    if (!kind) return definition;
    const now = this.#options.clock.now();
    const all = conditions.reduce(
      (list, each) => withCondition(list, each, now),
      definition.status?.conditions ?? nothing,
    );
    const body = { ...definition, status: { ...definition.status, ...status, conditions: all } } as unknown as Json;
    const request = { caller, fieldManager: 'kube-apiserver', subresource: 'status' } as const;
    const { object } = server.update(kind, { name: definition.metadata.name }, body, request);
    return object as KubeObject as CustomDefinition;
  }
}

const nothing: readonly DefinitionCondition[] = [];
const caller = { name: 'system:apiserver', groups: ['system:masters'] };
const approvalType = 'KubernetesAPIApprovalPolicyConformant';

function isAlike(a: CustomDefinition, b: CustomDefinition): boolean {
  return (
    a.metadata.uid === b.metadata.uid &&
    isSameJson(a.spec, b.spec) &&
    isSameJson(a.status?.acceptedNames, b.status?.acceptedNames)
  );
}
