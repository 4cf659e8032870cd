import type { KubeObject } from '../../kube/manifest.js';
import { KeyIndex } from './key-index.js';
import type { Shelf } from './shelf.js';

/** What objects are found by. */
export interface Selector {
  /** Absent: all of them. */
  readonly namespace?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/**
 * Finds objects by namespace and labels without looking at all the others: 10,000 custom resources that each ask for
 * their own Pods must not look at everybody's.
 *
 * **Guarantees.** All objects are looked at once when somebody first asks by namespace, and once when somebody first asks by
 * labels, whichever these are: which labels a selector names may be up to those who write custom resources. Where that was
 * announced before there was any, they never are. What is kept of an object grows with its own labels, and not with what was
 * asked for.
 */
export class Facets {
  #byNamespace: KeyIndex | undefined;
  #byLabel: KeyIndex | undefined;

  constructor(private readonly shelf: Pick<Shelf, 'keys' | 'getAll' | 'peek'>) {}

  add(key: string, object: KubeObject): void {
    this.#byNamespace?.add(key, object);
    this.#byLabel?.add(key, object);
  }

  remove(key: string, object: KubeObject): void {
    this.#byNamespace?.remove(key, object);
    this.#byLabel?.remove(key, object);
  }

  /** Somebody will ask, by either. */
  announce(): void {
    this.#byNamespace ??= this.#indexed(namespaceOf);
    this.#byLabel ??= this.#indexed(labelsIn);
  }

  /** In no order. */
  select({ namespace, labels = {} }: Selector): KubeObject[] {
    const wanted: ReadonlySet<string>[] = [];
    if (namespace !== undefined) {
      this.#byNamespace ??= this.#indexed(namespaceOf);
      wanted.push(this.#byNamespace.get(namespace));
    }
    for (const label of labelsOf(labels)) {
      this.#byLabel ??= this.#indexed(labelsIn);
      wanted.push(this.#byLabel.get(label));
    }
    const [fewest, ...others] = wanted.sort((a, b) => a.size - b.size);
    const found = [...(fewest ?? this.shelf.keys())];
    return this.shelf.getAll(found.filter((key) => others.every((keys) => keys.has(key))));
  }

  #indexed(facetsOf: (object: KubeObject) => readonly string[]): KeyIndex {
    const index = new KeyIndex(facetsOf);
    for (const key of this.shelf.keys()) index.add(key, this.shelf.peek(key)!);
    return index;
  }
}

function namespaceOf({ metadata: { namespace } }: KubeObject): readonly string[] {
  return namespace === undefined ? [] : [namespace];
}

function labelsIn({ metadata: { labels = {} } }: KubeObject): readonly string[] {
  return labelsOf(labels);
}

/** No key of a label has the character in it. */
function labelsOf(labels: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(labels).map(([key, value]) => `${key}=${value}`);
}
