import type { Clock } from '../../kube/clock.js';
import type { Revision } from '../object-store.js';
import type { EventRecorder } from './event-recorder.js';
import type { ObjectIndex } from './object-index.js';
import type { Writer } from './writer.js';

/** What a controller has to look at: keys, mostly `namespace/name`, each waiting at most once. */
export interface Queue {
  add(key: string): void;
  /**
   * Adds `key` once `milliseconds` have passed, or earlier when asked again for sooner. `isAwaited`: the cluster counts as
   * unsettled until then. So does a Pod that is about to be ready; not so the next run of a CronJob.
   */
  addAfter(key: string, milliseconds: number, isAwaited?: boolean): void;
}

/**
 * One small controller. It looks at the whole state of what a key names, never at what changed, so it may be asked twice,
 * late, and after any failure.
 */
export interface Controller {
  readonly name: string;
  /** Of which kinds it hears changes, by their storage names. Absent: of all. */
  readonly hears?: readonly string[];
  /** Says what to look at after a change. Reads; never writes. */
  observe(change: Revision, queue: Queue): void;
  /** Brings about what should be. A throw makes it try again later. */
  reconcile(key: string, queue: Queue): void;
}

/** What controllers work with. */
export interface Desk {
  readonly index: ObjectIndex;
  readonly writer: Writer;
  readonly events: EventRecorder;
  readonly clock: Clock;
}

export function keyOf({
  metadata,
}: {
  readonly metadata: { readonly namespace?: string; readonly name: string };
}): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

export function addressOf(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/');
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
