import { type Inputs, type Many, nothingRead, type One, type Optional, type Read } from '../../compose/reads.js';
import { type ApiResource, groupKindOf } from '../../kube/api-resource.js';
import { isDns1123Label } from '../../kube/dns-names.js';
import { TerminalError } from '../../kube/errors.js';
import { withName } from '../../kube/field-selector.js';
import { labelSelector } from '../../kube/label-selector.js';
import type { KubeObject } from '../../kube/manifest.js';
import { refOf, show } from '../../kube/object-ref.js';
import { labelProblems } from '../informer/label-problems.js';
import type { ListSelection } from '../informer/list-selection.js';
import type { Change } from '../informer/store.js';
import type { WatchedKind } from '../informer/watched-kind.js';

/** What of a kind is read: one object by its name, or all with the labels. Absent namespace: all of them. */
export interface Selection {
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly name?: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** What the reads of an operator select for a custom resource, and what was found, both by the names of the reads. */
export interface Selected {
  /** Undefined where nothing is to be read. */
  readonly selections: Readonly<Record<string, Selection | undefined>>;
  readonly inputs: Inputs;
}

/** All objects of a kind that the API server has now and that are selected. */
export type ListLive = (resource: ApiResource, selection: ListSelection) => Promise<readonly KubeObject[]>;

/**
 * What custom resources read, and who reads what.
 *
 * **Guarantees.** A change of an object finds exactly the custom resources whose last reconcile selected it before or
 * after the change, without looking at the others.
 */
export class ReadInputs {
  /** By a mark of what is read, the keys of who may be reading it. */
  readonly #readers = new Map<string, Set<string>>();
  readonly #selections = new Map<string, Selected['selections']>();

  constructor(
    private readonly reads: Readonly<Record<string, Read>>,
    private readonly kinds: (
      read: Read,
    ) => Pick<WatchedKind, 'get' | 'list'> & Partial<Pick<WatchedKind, 'announceSelectors'>>,
  ) {
    for (const read of Object.values(reads)) if (read.type === 'many') kinds(read).announceSelectors?.();
  }

  /**
   * The inputs of `cr` now, in the order of names. From now on changes of them find `key`. Throws what the author's selection
   * throws, and `TerminalError` where it selects and does not say what, or where.
   */
  of(key: string, cr: KubeObject): Selected {
    const selections: Record<string, Selection | undefined> = {};
    const inputs: Record<string, Inputs[string]> = {};
    for (const [name, read] of Object.entries(this.reads)) {
      const selection = selectionOf(name, read, cr);
      selections[name] = selection;
      inputs[name] = this.#stored(read, selection);
    }
    this.#remember(key, selections);
    return { selections, inputs };
  }

  /**
   * The inputs that were selected last for `key`, as the API server has them, which `list` asks: a store may be late without
   * knowing.
   */
  async live(key: string, list: ListLive): Promise<Selected> {
    const selections = this.#selections.get(key) ?? {};
    const inputs: Record<string, Inputs[string]> = { ...nothingRead(this.reads) };
    for (const [name, read] of Object.entries(this.reads)) {
      if (!(name in selections)) throw new Error(`nothing was selected for ${key}`);
      const selection = selections[name];
      if (!selection || !isPossible(selection)) continue;
      const { namespace, name: only, labels } = selection;
      const selector = labelSelector(labels);
      const objects = await list(read.resource, {
        ...(namespace === undefined ? {} : { namespace }),
        ...(only === undefined ? {} : { fieldSelector: withName(only) }),
        ...(selector === '' ? {} : { labelSelector: selector }),
      });
      const found = objects.filter((object) => selects(selection, object)).sort(byName);
      inputs[name] = read.type === 'one' ? found[0] : found;
    }
    return { selections, inputs };
  }

  /** Another one when what was selected last for `key` is not as it was in the stores. */
  mark(key: string): string {
    const selections = this.#selections.get(key) ?? {};
    const found = Object.entries(this.reads).map(([name, read]) => [this.#stored(read, selections[name])].flat());
    return JSON.stringify(
      found.map((each) => each.map((object) => [object?.metadata.uid, object?.metadata.resourceVersion])),
    );
  }

  /** Who reads the object that changed. */
  readersOf(change: Change): Set<string> {
    const found = new Set<string>();
    for (const object of change.type === 'updated' ? [change.object, change.before] : [change.object]) {
      for (const mark of marksOf(object)) {
        for (const key of this.#readers.get(mark) ?? []) {
          if (selectionsIn(this.#selections.get(key)).some((selection) => selects(selection, object))) found.add(key);
        }
      }
    }
    return found;
  }

  forget(key: string): void {
    this.#remember(key, {});
  }

  #stored(read: Read, selection: Selection | undefined): Inputs[string] {
    if (read.type === 'many') return selection ? this.kinds(read).list(selection).sort(byName) : [];
    return selection?.name === undefined ? undefined : this.kinds(read).get(selection.namespace, selection.name);
  }

  #remember(key: string, selections: Selected['selections']): void {
    const before = selectionsIn(this.#selections.get(key));
    const after = selectionsIn(selections);
    if (Object.keys(selections).length === 0) this.#selections.delete(key);
    else this.#selections.set(key, selections);

    const marks = new Set(after.map(markOf));
    for (const mark of new Set(before.map(markOf))) {
      if (marks.delete(mark)) continue;
      const readers = this.#readers.get(mark);
      readers?.delete(key);
      if (readers?.size === 0) this.#readers.delete(mark);
    }
    for (const mark of marks) this.#readers.set(mark, (this.#readers.get(mark) ?? new Set()).add(key));
  }
}

function selectionOf(name: string, read: Read, cr: KubeObject): Selection | undefined {
  const { type, resource } = read;
  const selected: Optional<One | Many> = read.select(cr as never);
  if (!selected) return undefined;
  const { name: only, labels } = selected as Partial<One & Many>;
  if (type === 'one' && (typeof only !== 'string' || only === '')) {
    throw new TerminalError(`${show(refOf(cr))} reads "${name}", one ${resource.kind}, and does not say which`, {
      hint: 'select gives its name, or undefined where there is none to read',
    });
  }
  // A misspelt one, such as matchLabels, must not select all there are.
  if (type === 'many' && !isLabels(labels)) {
    throw new TerminalError(
      `${show(refOf(cr))} reads "${name}", many ${resource.kind}, and does not say by which labels`,
      {
        hint: "select gives { labels: { name: 'value' } }, labels: {} for all, or undefined where there are none to read",
      },
    );
  }
  const namespace = resource.namespaced ? (selected.namespace ?? cr.metadata.namespace) : undefined;
  if (type === 'one' && resource.namespaced && namespace === undefined) {
    throw new TerminalError(
      `${show(refOf(cr))} reads "${name}", one ${resource.kind}, and does not say in which namespace`,
      {
        hint: `${cr.kind} is cluster-scoped and has no namespace to pass on: select gives it with the name`,
      },
    );
  }
  return { labels: {}, ...selected, kind: groupKindOf(resource), namespace };
}

function isLabels(labels: unknown): boolean {
  if (typeof labels !== 'object' || labels === null || Array.isArray(labels)) return false;
  return Object.values(labels).every((value) => typeof value === 'string');
}

function selectionsIn(selections: Selected['selections'] = {}): readonly Selection[] {
  return Object.values(selections).filter((selection) => selection !== undefined);
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

/** False where no object can be selected, and the API server would refuse to look: namespace and labels may be what somebody wrote. */
function isPossible({ namespace, labels }: Selection): boolean {
  const isLabel = (label: Label) => labelProblems(label).length === 0;
  return (namespace === undefined || isDns1123Label(namespace)) && Object.entries(labels).every(isLabel);
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
