import { type Inputs, nothingRead, type Read } from '../../compose/reads.js';
import { groupKindOf } from '../../kube/api-resource.js';
import type { KubeObject } from '../../kube/manifest.js';
import type { Change } from '../informer/store.js';
import type { WatchedKind } from '../informer/watched-kind.js';
import { Waiters } from '../queue/waiters.js';
import {
  byName,
  isAsNew,
  type ListLive,
  type Live,
  liveOf,
  type Selection,
  selectionOf,
  selects,
  versionsIn,
} from './selection.js';

/** What the reads of an operator select for a custom resource, and what was found, both by the names of the reads. */
export interface Selected {
  /** Undefined where nothing is to be read. */
  readonly selections: Readonly<Record<string, Selection | undefined>>;
  readonly inputs: Inputs;
}

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
  /** Who asked about what was selected, as a text. */
  readonly #doubts = new Waiters();
  /** By such a text, at which moment the stores had what the API server had, or what it had, for as long as they have not. */
  readonly #vouched = new Map<string, number | Live>();
  #whenReselected: (key: string) => void = () => {};

  constructor(
    private readonly reads: Readonly<Record<string, Read>>,
    private readonly kinds: (
      read: Read,
    ) => Pick<WatchedKind, 'get' | 'list'> & Partial<Pick<WatchedKind, 'announceSelectors'>>,
  ) {
    for (const read of Object.values(reads)) if (read.type === 'many') kinds(read).announceSelectors?.();
  }

  /** From now on `listener` is called with the key of who selects something else than before, as soon as it does. */
  whenReselected(listener: (key: string) => void): void {
    this.#whenReselected = listener;
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
      if (selection) inputs[name] = (await liveOf(read, selection, list)).input;
    }
    return { selections, inputs };
  }

  /**
   * Since which moment the stores are known to have what was selected last for `key` at least as new as the API server had it;
   * undefined where they have not. Of each selection that has to be so once: from there a store only goes forward. What was answered
   * is waited for, however much has changed since.
   */
  async vouched(key: string, list: ListLive, moment: () => number): Promise<number | undefined> {
    let since: number | undefined = 0;
    for (const [name, selection] of Object.entries(this.#selections.get(key) ?? {})) {
      if (!selection) continue;
      const [read, text] = [this.reads[name]!, JSON.stringify(selection)];
      const isReached = (live: Live) => isAsNew(this.#stored(read, selection), live);
      let known = this.#vouched.get(text);
      if (typeof known !== 'number') {
        if (!known || !isReached(known)) known = await liveOf(read, selection, list);
        if (isReached(known)) known = moment();
      }
      // Who is gone by now, or has selected anew, is not to be remembered by it.
      if (JSON.stringify(this.#selections.get(key)?.[name]) === text) {
        this.#doubts.add(key, text);
        this.#vouched.set(text, known);
      }
      since = typeof known !== 'number' || since === undefined ? undefined : Math.max(since, known);
    }
    return since;
  }

  /** What was selected last for `key`, as the stores have it now. */
  stored(key: string): Selected {
    const selections = this.#selections.get(key) ?? {};
    const found = Object.entries(this.reads).map(([name, read]) => [name, this.#stored(read, selections[name])]);
    return { selections, inputs: Object.fromEntries(found) };
  }

  /** Another one when what was selected last for `key` is not as it was in the stores. */
  mark(key: string): string {
    return Object.values(this.stored(key).inputs).map(versionsIn).join();
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
    if (this.#selections.has(key) && JSON.stringify(before) !== JSON.stringify(after)) this.#whenReselected(key);
    if (Object.keys(selections).length === 0) this.#selections.delete(key);
    else this.#selections.set(key, selections);
    this.#doubtOnly(key, after);

    const marks = new Set(after.map(markOf));
    for (const mark of new Set(before.map(markOf))) {
      if (marks.delete(mark)) continue;
      const readers = this.#readers.get(mark);
      readers?.delete(key);
      if (readers?.size === 0) this.#readers.delete(mark);
    }
    for (const mark of marks) this.#readers.set(mark, (this.#readers.get(mark) ?? new Set()).add(key));
  }

  /** What nobody selects any more need not be known. */
  #doubtOnly(key: string, selections: readonly Selection[]): void {
    const asked = this.#doubts.thingsOf(key);
    if (asked.length === 0) return;
    this.#doubts.clear(key);
    const selected = new Set(selections.map((selection) => JSON.stringify(selection)));
    this.#doubts.add(key, ...asked.filter((text) => selected.has(text)));
    for (const text of asked) if (!this.#doubts.isAwaited(text)) this.#vouched.delete(text);
  }
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
