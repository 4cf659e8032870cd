import type { Cluster } from '../client/cluster.js';
import type { Clock } from '../kube/clock.js';
import type { KubeObject } from '../kube/manifest.js';
import type { Aside } from './aside.js';
import type { Log } from './log.js';

/** Says on a custom resource what happened, for `kubectl describe` and `kubectl events`. */
export interface Events {
  /** `same` is what a repetition is told by, where the note has more in it: times. */
  normal(about: KubeObject, reason: string, note: string, same?: string): void;
  warn(about: KubeObject, reason: string, note: string): void;
}

export interface EventsOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly log: Log;
  /** Where they wait until there is nothing more urgent to be written. */
  readonly aside: Aside;
  /** `memcached.cache.example.com/memcached`. */
  readonly controller: string;
  /** The pod. */
  readonly instance: string;
}

const resource = { apiVersion: 'events.k8s.io/v1', kind: 'Event', plural: 'events', namespaced: true };
/** The same event within this time is counted up instead of written again, as client-go does it. */
const seriesMilliseconds = 6 * 60_000;
/** So many that differ in their notes alone are written one by one, as client-go does it. */
const mostAlike = 10;
const longestNote = 1024;

interface Series {
  readonly name: string;
  readonly namespace: string;
  count: number;
  /** By the clock that no one sets. */
  lastAt: number;
  last: string;
  /** How often it is known to have happened when all is written that waits. */
  told: number;
}

/**
 * Events of events.k8s.io, one for each change of state.
 *
 * **Guarantees.** Never delays or fails a reconcile: events are written aside, when nothing else is, and an event that cannot
 * be written is a line in the log. Each tells when it happened. Repetitions are counted up on the first, and so are those
 * of one reason, when there were many in a short time that had other notes each.
 */
export function recordEvents({ cluster, clock, log, aside, controller, instance }: EventsOptions): Events {
  const series = new Map<string, Series>();
  /** By what is alike, how many were written. */
  const alike = new Map<string, { count: number; lastAt: number }>();
  let sequence = 0;
  const write = (call: () => Promise<unknown>): void => {
    const attempt = async () => {
      await call().catch((error: Error) => log.debug('Failed to write an event', { error: error.message }));
    };
    if (!aside.add(attempt)) log.debug('Left out an event, since too many wait to be written');
  };

  const record = (type: 'Normal' | 'Warning', about: KubeObject, reason: string, text: string, same = text): void => {
    const note = text.length > longestNote ? `${text.slice(0, longestNote - 1)}…` : text;
    const namespace = about.metadata.namespace ?? 'default';
    const [now, at] = [clock.now(), clock.monotonic()];
    const kind = [about.metadata.uid, type, reason].join('\n');
    forgetOld(series, at);
    forgetOld(alike, at);
    const one = `${kind}\n${same}`;
    const isTooMany = !series.has(one) && (alike.get(kind)?.count ?? 0) >= mostAlike;
    const key = isTooMany ? kind : one;
    const known = series.get(key);
    if (known) {
      // To the end, so that the oldest stay first.
      series.delete(key);
      series.set(key, known);
      known.count++;
      known.lastAt = at;
      known.last = microTime(now);
      write(async () => {
        // The one before has told of all that happened while both waited.
        if (known.told === known.count) return;
        known.told = known.count;
        const body = { series: { count: known.count, lastObservedTime: known.last } };
        await cluster.patch(resource, known, { type: 'merge', body }, { fieldManager: 'kilter-events' });
      });
      return;
    }
    const name = `${about.metadata.name.slice(0, 200)}.${now.toString(16)}${(sequence++ % 4096).toString(16)}`;
    series.set(key, { name, namespace, count: 1, lastAt: at, last: microTime(now), told: 1 });
    const { count = 0 } = alike.get(kind) ?? {};
    alike.delete(kind);
    alike.set(kind, { count: count + 1, lastAt: at });
    const event = {
      apiVersion: resource.apiVersion,
      kind: resource.kind,
      metadata: { name, namespace },
      eventTime: microTime(now),
      type,
      reason,
      action: 'Reconcile',
      note: isTooMany ? combined(note) : note,
      reportingController: controller,
      reportingInstance: instance,
      regarding: {
        apiVersion: about.apiVersion,
        kind: about.kind,
        name: about.metadata.name,
        namespace: about.metadata.namespace,
        uid: about.metadata.uid,
        resourceVersion: about.metadata.resourceVersion,
      },
    };
    write(() => cluster.create(resource, event, { fieldManager: 'kilter-events' }));
  };
  return {
    normal: (about, reason, note, same) => record('Normal', about, reason, note, same),
    warn: (about, reason, note) => record('Warning', about, reason, note),
  };
}

function combined(note: string): string {
  return `(combined from similar events): ${note}`.slice(0, longestNote);
}

/** The oldest are first. */
function forgetOld<T extends { readonly lastAt: number }>(memory: Map<string, T>, at: number): void {
  for (const [old, { lastAt }] of memory) {
    if (at - lastAt <= seriesMilliseconds) return;
    memory.delete(old);
  }
}

function microTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000Z');
}
