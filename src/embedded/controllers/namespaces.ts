import type { NamespaceCondition, NamespaceObject } from '../../../imports/k8s.js';
import type { Json, KubeObject } from '../../kube/manifest.js';
import { timestamp } from '../../kube/timestamp.js';
import { equal } from '../fields/field-type.js';
import type { Kinds } from '../kinds/kinds.js';
import type { ServedKind } from '../kinds/served-kind.js';
import type { Revision } from '../object-store.js';
import { StatusError } from '../status-error.js';
import { type Live, namespaces, pods } from './built-in.js';
import { addressOf, type Controller, type Desk, keyOf, type Queue } from './controller.js';

type Namespace = Live<NamespaceObject>;
type Finding = Pick<NamespaceCondition, 'status' | 'reason' | 'message'>;

const finalizer = 'kubernetes';
/** What is said when there is nothing to say, in the order in which it is said. */
const fine: readonly (readonly [string, string, string])[] = [
  ['NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'],
  ['NamespaceDeletionGroupVersionParsingFailure', 'ParsedGroupVersions', 'All legacy kube types successfully parsed'],
  [
    'NamespaceDeletionContentFailure',
    'ContentDeleted',
    'All content successfully deleted, may be waiting on finalization',
  ],
  ['NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed'],
  ['NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
];

interface Remains {
  readonly kind: ServedKind;
  readonly objects: readonly KubeObject[];
}

/** Empties namespaces that are deleted: https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/ */
export class Namespaces implements Controller {
  readonly name = 'namespaces';

  constructor(
    private readonly desk: Desk,
    private readonly kinds: Kinds,
  ) {}

  observe({ type, resource, object }: Revision, queue: Queue): void {
    if (resource === namespaces.storage) {
      if (type !== 'DELETED' && object.metadata.deletionTimestamp !== undefined) queue.add(keyOf(object));
      return;
    }
    const { namespace } = object.metadata;
    if (namespace === undefined) return;
    // Whatever goes, loses a finalizer or slips in meanwhile.
    const going = this.desk.index.get(namespaces, undefined, namespace);
    if (going?.metadata.deletionTimestamp !== undefined) queue.add(keyOf(going));
  }

  reconcile(key: string): void {
    const { name } = addressOf(key);
    const namespace = this.desk.index.get(namespaces, undefined, name);
    if (namespace?.metadata.deletionTimestamp === undefined) return;
    if (!namespace.spec?.finalizers?.includes(finalizer)) return;
    const { remains, failures } = this.#empty(name);
    const current = this.#tell(this.desk.index.get(namespaces, undefined, name)!, remains, failures);
    if (remains.length === 0 && failures.length === 0) {
      const finalizers = current.spec!.finalizers!.filter((each) => each !== finalizer);
      this.desk.writer.finalize(namespaces, { ...current, spec: { ...current.spec, finalizers } });
      return;
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Pods go first, so that nothing that they use goes before them. */
  #empty(namespace: string): { readonly remains: readonly Remains[]; readonly failures: readonly StatusError[] } {
    const failures: StatusError[] = [];
    const remains = this.#remains(namespace);
    const inFirstPlace = remains.filter(({ kind }) => kind.storage === pods.storage);
    for (const { kind, objects } of inFirstPlace.length > 0 ? inFirstPlace : remains) {
      try {
        if (kind.verbs.includes('deletecollection')) this.desk.writer.deleteAll(kind, namespace);
        else for (const object of objects) this.desk.writer.delete(object, { propagationPolicy: 'Background' });
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        failures.push(error);
      }
    }
    const left = this.#remains(namespace);
    // With the last Pod gone, the turn comes to the others at once.
    if (inFirstPlace.length > 0 && failures.length === 0 && !left.some(({ kind }) => kind.storage === pods.storage)) {
      return this.#empty(namespace);
    }
    return { remains: left, failures };
  }

  #remains(namespace: string): readonly Remains[] {
    const seen = new Set<string>();
    const found: Remains[] = [];
    for (const kind of this.kinds.all) {
      if (!kind.namespaced || seen.has(kind.storage) || !kind.verbs.includes('delete')) continue;
      seen.add(kind.storage);
      const objects = [...this.desk.index.in(kind.storage, namespace).values()];
      if (objects.length > 0) found.push({ kind, objects });
    }
    return found;
  }

  #tell(namespace: Namespace, remains: readonly Remains[], failures: readonly StatusError[]): Namespace {
    const findings = findingsOf(remains, failures);
    const now = timestamp(this.desk.clock.now());
    const { conditions: before = [] } = namespace.status ?? {};
    const conditions: NamespaceCondition[] = before.filter(({ type }) => !fine.some(([each]) => each === type));
    for (const [type, reason, message] of fine) {
      const finding = findings.get(type) ?? { status: 'False', reason, message };
      const known = before.find((each) => each.type === type);
      const lastTransitionTime = known?.status === finding.status ? known.lastTransitionTime : now;
      conditions.push({ type, lastTransitionTime, ...finding });
    }
    const status = { ...namespace.status, phase: 'Terminating', conditions };
    if (equal(status as unknown as Json, (namespace.status ?? {}) as unknown as Json)) return namespace;
    return this.desk.writer.updateStatus(namespaces, { ...namespace, status });
  }
}

function findingsOf(remains: readonly Remains[], failures: readonly StatusError[]): ReadonlyMap<string, Finding> {
  const findings = new Map<string, Finding>();
  if (failures.length > 0) {
    const all = failures.map(({ message }) => message).sort();
    const message = `Failed to delete all resource types, ${all.length} remaining: ${all.join(', ')}`;
    findings.set('NamespaceDeletionContentFailure', { status: 'True', reason: 'ContentDeletionFailed', message });
  }
  // Of Pods that are still stopping nothing is said yet.
  if (remains.some(({ kind }) => kind.storage === pods.storage)) return findings;
  if (remains.length > 0) {
    const all = remains.map(
      ({ kind, objects }) => `${kind.plural}.${kind.group} has ${objects.length} resource instances`,
    );
    const message = `Some resources are remaining: ${all.sort().join(', ')}`;
    findings.set('NamespaceContentRemaining', { status: 'True', reason: 'SomeResourcesRemain', message });
  }
  const counts = new Map<string, number>();
  for (const each of remains.flatMap(({ objects }) => objects.flatMap(({ metadata }) => metadata.finalizers ?? []))) {
    counts.set(each, (counts.get(each) ?? 0) + 1);
  }
  if (counts.size > 0) {
    const all = [...counts].map(([each, count]) => `${each} in ${count} resource instances`).sort();
    const message = `Some content in the namespace has finalizers remaining: ${all.join(', ')}`;
    findings.set('NamespaceFinalizersRemaining', { status: 'True', reason: 'SomeFinalizersRemain', message });
  }
  return findings;
}
