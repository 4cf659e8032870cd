import type { KubeObject } from '../kube/manifest.js';

/**
 * The objects of one kind. Their order is found when somebody first asks, and kept from then on as objects come, change
 * and go.
 */
export class ObjectTable {
  readonly objects = new Map<string, KubeObject>();
  #keys: string[] | undefined;

  get(namespace: string | undefined, name: string): KubeObject | undefined {
    return this.objects.get(keyOf(namespace, name));
  }

  /** Returns what was there before. */
  set(object: KubeObject): KubeObject | undefined {
    const key = keyOf(object.metadata.namespace, object.metadata.name);
    const before = this.objects.get(key);
    this.objects.set(key, object);
    if (!before) this.#keys?.splice(placeOf(key, this.#keys), 0, key);
    return before;
  }

  /** Returns what was there before. */
  delete({ metadata: { namespace, name } }: KubeObject): KubeObject | undefined {
    const key = keyOf(namespace, name);
    const before = this.objects.get(key);
    if (!before) return undefined;
    this.objects.delete(key);
    this.#keys?.splice(placeOf(key, this.#keys), 1);
    return before;
  }

  /** By namespace and name, in the order of etcd's keys. */
  list(namespace: string | undefined): KubeObject[] {
    this.#keys ??= [...this.objects.keys()].sort();
    const keys = namespace === undefined ? this.#keys : within(this.#keys, namespace);
    return keys.map((key) => this.objects.get(key) as KubeObject);
  }
}

function keyOf(namespace: string | undefined, name: string): string {
  return `${namespace ?? ''}/${name}`;
}

/** Keys of a namespace stand together: after those that end before its slash, before those of the character after it. */
function within(keys: readonly string[], namespace: string): readonly string[] {
  return keys.slice(placeOf(`${namespace}/`, keys), placeOf(`${namespace}0`, keys));
}

/** Where `key` stands among sorted keys, or would stand. */
function placeOf(key: string, keys: readonly string[]): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] as string) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
