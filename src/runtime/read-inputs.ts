import type { ListOptions } from '../client/cluster.js';
import type { Inputs, Many, One, Read } from '../compose/reads.js';
import { type ApiResource, groupKindOf } from '../kube/api-resource.js';
import type { KubeObject } from '../kube/manifest.js';
import type { Change } from './store.js';
import type { WatchedKind } from './watched-kind.js';

/** What of a kind is read: one object by its name, or all with the labels. Absent namespace: all of them. */
interface Selection {
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly name?: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** All objects of a kind that the API server has now and that are selected. */
export type ListLive = (
  resource: ApiResource,
  selection: Pick<ListOptions, 'namespace' | 'fieldSelector' | 'labelSelector'>,
) => Promise<readonly KubeObject[]>;

/**
 * What custom resources read, and who reads what.
 *
 * **Guarantees.** A change of an object finds exactly the custom resources whose last reconcile selected it before or
 * after the change, without looking at the others.
 */
export class ReadInputs {
  /** By a mark of what is read, the keys of who may be reading it. */
  readonly #readers = new Map<string, Set<string>>();
  readonly #selections = new Map<string, readonly Selection[]>();

  constructor(
    private readonly reads: Readonly<Record<string, Read>>,
    private readonly kinds: (read: Read) => Pick<WatchedKind, 'get' | 'list'>,
  ) {}

  /** The inputs of `cr` now, in the order of names. From now on changes of them find `key`. */
  of(key: string, cr: KubeObject): Inputs {
    const selections: Selection[] = [];
    const inputs: Record<string, Inputs[string]> = {};
    for (const [name, read] of Object.entries(this.reads)) {
      const selected: One | Many = read.select(cr as never);
      const selection = selectionOf(read, selected, cr);
      const { namespace } = selection;
      selections.push(selection);
      inputs[name] =
        read.type === 'one'
          ? this.kinds(read).get(namespace, (selected as One).name)
          : this.kinds(read).list(selection).sort(byName);
    }
    this.#remember(key, selections);
    return inputs;
  }

  /**
   * The inputs that were selected last for `key`, as the API server has them, which `list` asks: a store may be late without
   * knowing.
   */
  async live(key: string, list: ListLive): Promise<Inputs> {
    const selections = this.#selections.get(key);
    const inputs: Record<string, Inputs[string]> = {};
    for (const [index, [name, read]] of Object.entries(this.reads).entries()) {
      const selection = selections?.[index];
      if (!selection) throw new Error(`nothing was selected for ${key}`);
      const { namespace, name: only, labels } = selection;
      const pairs = Object.entries(labels).map((label) => label.join('='));
      const objects = await list(read.resource, {
        ...(namespace === undefined ? {} : { namespace }),
        ...(only === undefined ? {} : { fieldSelector: `metadata.name=${only}` }),
        ...(pairs.length === 0 ? {} : { labelSelector: pairs.join(',') }),
      });
      const found = objects.filter((object) => selects(selection, object)).sort(byName);
      inputs[name] = read.type === 'one' ? found[0] : found;
    }
    return inputs;
  }

  /** Who reads the object that changed. */
  readersOf(change: Change): Set<string> {
    const found = new Set<string>();
    for (const object of change.type === 'updated' ? [change.object, change.before] : [change.object]) {
      for (const mark of marksOf(object)) {
        for (const key of this.#readers.get(mark) ?? []) {
          if (this.#selections.get(key)?.some((selection) => selects(selection, object))) found.add(key);
        }
      }
    }
    return found;
  }

  forget(key: string): void {
    this.#remember(key, []);
  }

  #remember(key: string, selections: readonly Selection[]): void {
    const before = this.#selections.get(key) ?? [];
    if (selections.length === 0) this.#selections.delete(key);
    else this.#selections.set(key, selections);

    const marks = new Set(selections.map(markOf));
    for (const mark of new Set(before.map(markOf))) {
      if (marks.delete(mark)) continue;
      const readers = this.#readers.get(mark);
      readers?.delete(key);
      if (readers?.size === 0) this.#readers.delete(mark);
    }
    for (const mark of marks) this.#readers.set(mark, (this.#readers.get(mark) ?? new Set()).add(key));
  }
}

function selectionOf({ resource }: Read, selected: One | Many, cr: KubeObject): Selection {
  const namespace = resource.namespaced ? (selected.namespace ?? cr.metadata.namespace) : undefined;
  return { labels: {}, ...selected, kind: groupKindOf(resource), namespace };
}

type Label = readonly [key: string, value: string];

/** Who reads is found by a name, or by one label of those that are selected by. */
function markOf({ kind, namespace, name, labels }: Selection): string {
  return name === undefined ? labelMark(kind, namespace, firstOf(labels)) : nameMark(kind, namespace, name);
}

/** All marks by which somebody may be reading `object`. */
function marksOf(object: KubeObject): Set<string> {
  const { name, namespace, labels = {} } = object.metadata;
  const kind = groupKindOf(object);
  return new Set(
    [namespace, undefined].flatMap((where) => [
      nameMark(kind, where, name),
      labelMark(kind, where, undefined),
      ...Object.entries(labels).map((label) => labelMark(kind, where, label)),
    ]),
  );
}

// Separated by what no name or label may contain.
const nameMark = (kind: string, namespace: string | undefined, name: string) => `${kind}\n${namespace ?? ''}\n${name}`;

const labelMark = (kind: string, namespace: string | undefined, label: Label | undefined) =>
  `${kind}\n${namespace ?? ''}\n\n${label ? label.join('=') : ''}`;

function firstOf(labels: Readonly<Record<string, string>>): Label | undefined {
  return Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))[0];
}

function selects({ kind, namespace, name, labels }: Selection, object: KubeObject): boolean {
  const { metadata } = object;
  return (
    kind === groupKindOf(object) &&
    (namespace === undefined || namespace === metadata.namespace) &&
    (name === undefined || name === metadata.name) &&
    Object.entries(labels).every(([key, value]) => metadata.labels?.[key] === value)
  );
}

function byName({ metadata: a }: KubeObject, { metadata: b }: KubeObject): number {
  if (a.name === b.name) return (a.namespace ?? '') < (b.namespace ?? '') ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}
