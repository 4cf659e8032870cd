import { entriesOf } from '../../drift/ownership.js';
import type { KubeObject } from '../../kube/manifest.js';
import { conditionsIn } from '../status/own-status.js';
import { TimeLimitError } from './time-limit.js';

/** The parts of an author's code: what selects inputs, what makes children of them, and what tells of these. */
export type Part = 'reads' | 'compose' | 'status';

/** What somebody may ask for by a custom resource. */
type Asked = Pick<KubeObject['metadata'], 'uid' | 'generation' | 'labels' | 'annotations'>;

/** What was learnt of an author's code for one custom resource, for as long as that asks for the same. */
export interface Known {
  readonly asked: Asked;
  /** Its status says so: of it the process before this one may have known no more than that. */
  readonly isSuspect: boolean;
  /** What was seen to end. */
  ended: 'nothing' | 'compose' | 'all';
  /** What there was to see when status was seen to end. */
  seen?: string;
  /** Because it did not end, or a promise in it was rejected. */
  failed?: { readonly part: Part; readonly error: Error };
}

/** What is known of an author's code, by the key of the custom resource. */
export class KnownCode {
  readonly #known = new Map<string, Known>();

  of(key: string, cr: KubeObject): Known {
    const before = this.ofSame(key, cr);
    if (before) return before;
    const known: Known = { asked: askedBy(cr.metadata), isSuspect: didNotEnd(cr), ended: 'nothing' };
    this.#known.set(key, known);
    return known;
  }

  /** Undefined where `cr` asks for something else than was asked. */
  ofSame(key: string, cr: KubeObject): Known | undefined {
    const before = this.#known.get(key);
    return before && asksTheSame(before.asked, cr.metadata) ? before : undefined;
  }

  forget(key: string): void {
    this.#known.delete(key);
  }
}

/** True where the status says, of what is asked now, that an author's code did not end for it. */
export function didNotEnd(cr: KubeObject): boolean {
  return conditionsIn(cr).some(
    ({ type, observedGeneration, message }) =>
      type === 'Stalled' && observedGeneration === cr.metadata.generation && TimeLimitError.isSaidIn(message),
  );
}

/**
 * What status sees beside what is asked for: of children the version, where there is more to see than `manager` wrote, and
 * all of what is outside. Undefined where that cannot be told.
 */
export function sightOf(
  children: Readonly<Record<string, KubeObject | undefined>>,
  states: Readonly<Record<string, unknown>>,
  manager: string,
): string | undefined {
  let sight = '';
  for (const child of Object.values(children)) {
    if (!child) sight += '-';
    else if (!isOnlyBy(manager, child)) sight += `${child.metadata.uid}:${child.metadata.resourceVersion} `;
  }
  try {
    for (const name in states) sight += JSON.stringify(states[name]);
  } catch {
    // An author's own object, which refers to itself.
    return undefined;
  }
  return sight;
}

function isOnlyBy(manager: string, object: KubeObject): boolean {
  const entries = entriesOf(object);
  return entries.length > 0 && entries.every((entry) => entry.manager === manager);
}

/** Apart from the object, of which more is kept in no memory than is needed. */
function askedBy({ uid, generation, labels, annotations }: KubeObject['metadata']): Asked {
  return {
    uid,
    ...(generation === undefined ? {} : { generation }),
    ...(labels ? { labels } : {}),
    ...(annotations ? { annotations } : {}),
  };
}

/** True where somebody who asked for one custom resource by `a` asks for nothing else by `b`. */
export function asksTheSame(a: Asked, b: Asked): boolean {
  return (
    a.uid === b.uid &&
    a.generation === b.generation &&
    isSameMap(a.labels, b.labels) &&
    isSameMap(a.annotations, b.annotations)
  );
}

function isSameMap(one: Asked['labels'], other: Asked['labels']): boolean {
  if (one === other) return true;
  const [a, b] = [one ?? {}, other ?? {}];
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
