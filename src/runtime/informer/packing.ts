import type { KubeObject } from '../../kube/manifest.js';
import { controllerOf } from '../../kube/owner-reference.js';

/** An object at rest: what it has in common with others, and what it alone says. */
export interface Packed {
  /** JSON in which a control character, which no JSON has, stands for each part that is the object's own. */
  readonly shape: string;
  /** Those parts in the order of their characters, each but the first after a line feed. */
  readonly own: string;
  /** The object itself, where it is nested too deeply to be written down. */
  readonly whole?: KubeObject;
}

/**
 * Writes objects of one kind down in little space.
 *
 * As a tree of values a Deployment with its managed fields takes eight kilobytes, as JSON three. But of a thousand that one
 * operator made nearly all says the same; only names, uids, versions, hashes, addresses and times differ. What is the same
 * is kept once, so that a child takes a few hundred bytes: no more than a note of whose it is would take.
 *
 * **Guarantees.** What is unpacked equals what was packed, whatever it says.
 */
export class Packing {
  readonly #shapes = new Map<string, string>();
  /** Of all shapes together, in characters. */
  #length = 0;

  pack(object: KubeObject): Packed {
    // The version first, where it is soon found.
    const own = [inJson(object.metadata.resourceVersion)];
    let shape: string;
    try {
      shape = JSON.stringify(object);
    } catch (error) {
      // An API server takes ten thousand levels; the stack ends before.
      if (!(error instanceof RangeError)) throw error;
      return { shape: '', own: `${own[0]}\n`, whole: object };
    }
    // The longer one first: a child's name often begins with its owner's.
    for (const name of [object.metadata.name, controllerOf(object)?.name].sort(longestFirst)) {
      if (!name) continue;
      const part = inJson(name);
      shape = shape.replaceAll(part, mark(own.push(part) - 1));
    }
    shape = shape.replace(ownParts, (part) => {
      let index = own.indexOf(part);
      if (index < 0) {
        if (own.length === mostOwn) return part;
        index = own.push(part) - 1;
      }
      return mark(index);
    });
    return { shape: this.#shared(shape), own: own.join('\n') };
  }

  unpack({ shape, own, whole }: Packed): KubeObject {
    if (whole) return whole;
    const parts = own.split('\n');
    return JSON.parse(shape.replace(marks, (character) => parts[character.charCodeAt(0) - firstMark]!)) as KubeObject;
  }

  #shared(shape: string): string {
    const known = this.#shapes.get(shape);
    if (known !== undefined) return known;
    // Shapes that are one object's alone must not pile up: they would outlive it. Those that are common are soon there again.
    if (this.#shapes.size >= mostShapes || this.#length + shape.length > mostCharacters) {
      this.#shapes.clear();
      this.#length = 0;
    }
    this.#shapes.set(shape, shape);
    this.#length += shape.length;
    return shape;
  }
}

/** The resourceVersion of a packed object, without unpacking it. */
export function versionOf({ own }: Packed): string {
  return own.slice(0, own.indexOf('\n'));
}

/** As it is inside of JSON's quotes: without control characters, whatever it says. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const longestFirst = (a = '', b = ''): number => b.length - a.length;

/** JSON writes characters below the space as escapes, so that none of them is ever in it. */
const firstMark = 1;
const mostOwn = 0x20 - firstMark;
const mark = (index: number): string => String.fromCharCode(firstMark + index);
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const marks = /[\u0001-\u001f]/g;
/** Values that are nothing but a time, a uid, a number, an IP address, or a hash of ours, whose 22 characters tell nothing. */
const ownParts =
  /(?<=")(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|[0-9a-f]{8}-[0-9a-f-]{27}|\d[\d.]*|[\w-]{22})(?=\\?"[^:])/g;
const mostShapes = 500;
/** Objects have a few thousand; some have a million, as Secrets of Helm do, and no two of these are alike. */
const mostCharacters = 4 * 2 ** 20;
