import type { Inputs, Many, One, Read } from '../compose/reads.js';
import { groupKindOf } from '../kube/api-resource.js';
import type { KubeObject } from '../kube/manifest.js';
import type { Change } from './store.js';
import type { WatchedKind } from './watched-kind.js';

/**
 * What custom resources read, and who reads what.
 *
 * **Guarantees.** A change of an object finds exactly the custom resources whose last reconcile selected it before or
 * after the change, without looking at the others.
 */
export class ReadInputs {
  /** By what has to be true of an object to be read, the keys of who reads it. */
  readonly #readers = new Map<string, Set<string>>();
  readonly #marks = new Map<string, readonly string[]>();

  constructor(
    private readonly reads: Readonly<Record<string, Read>>,
    private readonly kinds: (read: Read) => WatchedKind,
  ) {}

  /** The inputs of `cr` now, in the order of names. From now on changes of them find `key`. */
  of(key: string, cr: KubeObject): Inputs {
    const marks: string[] = [];
    const inputs: Record<string, Inputs[string]> = {};
    for (const [name, read] of Object.entries(this.reads)) {
      const kind = groupKindOf(read.resource);
      const home = read.resource.namespaced ? cr.metadata.namespace : undefined;
      if (read.type === 'one') {
        const { namespace = home, name: wanted } = read.select(cr as never) as One;
        marks.push(nameMark(kind, namespace, wanted));
        inputs[name] = this.kinds(read).get(namespace, wanted);
      } else {
        const { namespace = home, labels } = read.select(cr as never) as Many;
        marks.push(labelMark(kind, namespace, firstOf(labels)));
        inputs[name] = this.kinds(read)
          .list(namespace)
          .filter((object) => hasLabels(object, labels))
          .sort(byName);
      }
    }
    this.#remember(key, marks);
    return inputs;
  }

  /** Who reads the object that changed. */
  readersOf(change: Change): Set<string> {
    const states = change.type === 'updated' ? [change.object, change.before] : [change.object];
    const found = new Set<string>();
    for (const object of states) {
      const { name, namespace, labels = {} } = object.metadata;
      const kind = groupKindOf(object);
      const marks = [
        nameMark(kind, namespace, name),
        labelMark(kind, namespace, undefined),
        ...Object.entries(labels).map((label) => labelMark(kind, namespace, label)),
      ];
      for (const mark of marks) for (const key of this.#readers.get(mark) ?? []) found.add(key);
    }
    return found;
  }

  forget(key: string): void {
    this.#remember(key, []);
  }

  #remember(key: string, marks: readonly string[]): void {
    const before = this.#marks.get(key);
    if (before && before.length === marks.length && before.every((mark, index) => mark === marks[index])) return;
    for (const mark of before ?? []) {
      const readers = this.#readers.get(mark);
      readers?.delete(key);
      if (readers?.size === 0) this.#readers.delete(mark);
    }
    if (marks.length === 0) {
      this.#marks.delete(key);
      return;
    }
    this.#marks.set(key, marks);
    for (const mark of marks) this.#readers.set(mark, (this.#readers.get(mark) ?? new Set()).add(key));
  }
}

type Label = readonly [key: string, value: string];

// Separated by what no name or label may contain.
const nameMark = (kind: string, namespace: string | undefined, name: string) => `${kind}\n${namespace ?? ''}\n${name}`;

/** One label decides who may be reading; the reconcile looks at the others. Without labels everything is read. */
const labelMark = (kind: string, namespace: string | undefined, label: Label | undefined) =>
  `${kind}\n${namespace ?? ''}\n\n${label ? label.join('=') : ''}`;

function firstOf(labels: Readonly<Record<string, string>>): Label | undefined {
  return Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))[0];
}

function hasLabels({ metadata }: KubeObject, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(labels).every(([key, value]) => metadata.labels?.[key] === value);
}

function byName(a: KubeObject, b: KubeObject): number {
  return a.metadata.name < b.metadata.name ? -1 : 1;
}
