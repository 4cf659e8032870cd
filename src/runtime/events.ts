import type { Cluster } from '../client/cluster.js';
import type { Clock } from '../kube/clock.js';
import type { KubeObject } from '../kube/manifest.js';
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
  /** `memcached.cache.example.com/memcached`. */
  readonly controller: string;
  /** The pod. */
  readonly instance: string;
}

const resource = { apiVersion: 'events.k8s.io/v1', kind: 'Event', plural: 'events', namespaced: true };
/** The same event within this time is counted up instead of written again, as client-go does it. */
const seriesMilliseconds = 6 * 60_000;
const longestNote = 1024;

interface Series {
  readonly name: string;
  readonly namespace: string;
  count: number;
  lastAt: number;
}

/**
 * Events of events.k8s.io, one for each change of state.
 *
 * **Guarantees.** Never delays or fails a reconcile: events are written aside, and an event that cannot be written is a
 * line in the log. Repetitions are counted up on the first.
 */
export function recordEvents({ cluster, clock, log, controller, instance }: EventsOptions): Events {
  const series = new Map<string, Series>();
  let sequence = 0;

  const record = async (
    type: 'Normal' | 'Warning',
    about: KubeObject,
    reason: string,
    text: string,
    same = text,
  ): Promise<void> => {
    const note = text.length > longestNote ? `${text.slice(0, longestNote - 1)}…` : text;
    const namespace = about.metadata.namespace ?? 'default';
    const [now, at] = [clock.now(), clock.monotonic()];
    const key = [about.metadata.uid, type, reason, same].join('\n');
    for (const [old, { lastAt }] of series) if (at - lastAt > seriesMilliseconds) series.delete(old);

    const known = series.get(key);
    if (known) {
      known.count++;
      known.lastAt = at;
      const body = { series: { count: known.count, lastObservedTime: microTime(now) } };
      await cluster.patch(resource, known, { type: 'merge', body }, { fieldManager: 'kilter-events' });
      return;
    }
    const name = `${about.metadata.name.slice(0, 200)}.${now.toString(16)}${(sequence++ % 4096).toString(16)}`;
    series.set(key, { name, namespace, count: 1, lastAt: at });
    await cluster.create(
      resource,
      {
        apiVersion: resource.apiVersion,
        kind: resource.kind,
        metadata: { name, namespace },
        eventTime: microTime(now),
        type,
        reason,
        action: 'Reconcile',
        note,
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
      },
      { fieldManager: 'kilter-events' },
    );
  };
  const aside = (...event: Parameters<typeof record>): void => {
    record(...event).catch((error: Error) => log.debug('Failed to write an event', { error: error.message }));
  };
  return {
    normal: (about, reason, note, same) => aside('Normal', about, reason, note, same),
    warn: (about, reason, note) => aside('Warning', about, reason, note),
  };
}

function microTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000Z');
}
