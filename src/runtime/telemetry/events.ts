import { createHash } from 'node:crypto';
import {
  AlreadyExistsError,
  isAnswer,
  isNamespaceEnding,
  isOfServer,
  NotFoundError,
  RetryAfterError,
  TransportError,
} from '../../client/api-error.js';
import type { Cluster, WriteOptions } from '../../client/cluster.js';
import type { Clock } from '../../kube/clock.js';
import type { KubeObject, Manifest } from '../../kube/manifest.js';
import type { Aside } from '../queue/aside.js';
import { type Log, wordsOfError } from './log.js';
import { ToldSeldom } from './told-seldom.js';
import { withinBytes } from './within-bytes.js';

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
const by = { fieldManager: 'kilter-events' };
/** The same event within this time is counted up instead of written again, as client-go does it. */
const seriesMilliseconds = 6 * 60_000;
/** So many that differ in their notes alone are written one by one, as client-go does it. */
const mostAlike = 10;
const longestNoteBytes = 1024;
/** Of a condition it may be longer, and that of a child is its reason. */
const longestReason = 128;
/** The name of a Pod may be longer. */
const longestInstanceBytes = 128;
/** As client-go. */
const mostTries = 12;
/** Before the second try; before each further one twice as long, up to the longest. */
const firstPauseSeconds = 1;
const longestPauseSeconds = 60;

interface Series {
  /** When it happened first, by the wall clock. */
  readonly first: number;
  /** The event that tells of it. Undefined while none could be written yet, or when it expired. */
  name: string | undefined;
  /** The event that was asked for, and may be there though its answer was lost: it is asked for again by its name. */
  asked: Manifest | undefined;
  count: number;
  /** Milliseconds of the monotonic clock. */
  lastAt: number;
  last: string;
  /** How often it had happened when it was last told. */
  told: number;
}

/**
 * Events of events.k8s.io, one for each change of state.
 *
 * **Guarantees.** Never delays or fails a reconcile: events are written aside, when nothing else is. What fails by the
 * connection or the server is tried again, for some minutes, and is there once though an answer was lost; what cannot be
 * written is a line in the log, and tried again when it is repeated. Each tells when it happened. Repetitions are counted up
 * on the first, and so are those of one reason, when there were many in a short time that had other notes each.
 */
export function recordEvents({ cluster, clock, log, aside, controller, instance }: EventsOptions): Events {
  const series = new Map<string, Series>();
  /** By what is alike, how many were written. */
  const alike = new Map<string, { count: number; lastAt: number }>();
  const refusals = new ToldSeldom(clock);
  let sequence = 0;
  const nameOf = (about: string) =>
    `${about.slice(0, 200).replace(/[-.]+$/, '')}.${clock.now().toString(16)}${(sequence++ % 4096).toString(16)}`;

  /** Makes the event that tells of it, if it is not there yet. True when it was made as it has to be. */
  const make = async (one: Series, event: Manifest, counted: object, call: WriteOptions): Promise<boolean> => {
    const before = one.asked;
    const asked = before ?? event;
    one.asked = asked;
    let isAsAsked = true;
    try {
      await cluster.create(resource, { ...asked, ...counted }, call);
    } catch (error) {
      if (!(error instanceof AlreadyExistsError && before)) {
        if (!(error instanceof TransportError)) one.asked = before;
        throw error;
      }
      isAsAsked = false;
    }
    one.name = asked.metadata.name;
    // A series is remembered for minutes, and after a storm there are thousands.
    one.asked = undefined;
    return isAsAsked;
  };
  /** Tells of all that happened by now, of which `event` is the last: on the event that there is, or on one of its own. */
  const tell = async (one: Series, event: Manifest, signal: AbortSignal): Promise<void> => {
    const { count, last } = one;
    // The one before has told of all that happened while both waited.
    if (one.told === count) return;
    const call = { ...by, signal };
    const counted = count > 1 ? { series: { count, lastObservedTime: last } } : {};
    const isTold = one.name === undefined && (await make(one, event, counted, call));
    if (!isTold && count > 1) {
      try {
        await cluster.patch(
          resource,
          { ...event.metadata, name: one.name as string },
          { type: 'merge', body: counted },
          call,
        );
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
        one.name = undefined;
        await make(one, event, counted, call);
      }
    }
    one.told = count;
  };
  const write = (one: Series, event: Manifest): void => {
    let tries = 0;
    const leftOut = () => log.debug('Left out an event, since too many wait to be written');
    // A namespace in which much happens is not to be the only one of which is told.
    const whose = { group: event.metadata.namespace ?? '', leftOut };
    const attempt = async (signal: AbortSignal) => {
      try {
        await tell(one, event, signal);
      } catch (error) {
        if (isRefusal(error)) refusals.warn(log, 'Failed to write an event', {}, wordsOfError(error));
        else log.debug('Failed to write an event', wordsOfError(error));
        const pause = pauseAfter(error, ++tries);
        if (pause !== undefined) aside.addLater(pause, attempt, whose);
      }
    };
    if (!aside.add(attempt, whose)) leftOut();
  };

  const record = (type: 'Normal' | 'Warning', about: KubeObject, reason: string, text: string, same = text): void => {
    const [now, at] = [clock.now(), clock.monotonic()];
    const kind = [about.metadata.uid, type, reason].join('\n');
    forgetOld(series, at);
    forgetOld(alike, at);
    // What is said may be long, and this is remembered for minutes, after a storm of thousands.
    const alone = `${kind}\n${createHash('sha256').update(same).digest('base64')}`;
    const isTooMany = !series.has(alone) && (alike.get(kind)?.count ?? 0) >= mostAlike;
    const key = isTooMany ? kind : alone;
    const known = series.get(key);
    const one: Series = known ?? {
      first: now,
      name: undefined,
      asked: undefined,
      count: 0,
      lastAt: at,
      last: '',
      told: 0,
    };
    // To the end, so that the oldest stay first.
    series.delete(key);
    series.set(key, one);
    one.count++;
    one.lastAt = at;
    one.last = microTime(now);
    const { count = 0 } = alike.get(kind) ?? {};
    alike.delete(kind);
    // What is counted up is as much of a storm as what is new.
    alike.set(kind, { count: known ? count : count + 1, lastAt: at });
    const event = {
      apiVersion: resource.apiVersion,
      kind: resource.kind,
      metadata: { name: nameOf(about.metadata.name), namespace: about.metadata.namespace ?? 'default' },
      eventTime: microTime(one.first),
      type,
      reason: reason.slice(0, longestReason),
      action: 'Reconcile',
      note: withinBytes(isTooMany ? `(combined from similar events): ${text}` : text, longestNoteBytes),
      reportingController: controller,
      reportingInstance: withinBytes(instance, longestInstanceBytes),
      regarding: {
        apiVersion: about.apiVersion,
        kind: about.kind,
        name: about.metadata.name,
        namespace: about.metadata.namespace,
        uid: about.metadata.uid,
        resourceVersion: about.metadata.resourceVersion,
      },
    };
    write(one, event);
  };
  return {
    normal: (about, reason, note, same) => record('Normal', about, reason, note, same),
    warn: (about, reason, note) => record('Warning', about, reason, note),
  };
}

/** Milliseconds until it is tried again after it failed for the `tries`th time; undefined where that would not help. */
function pauseAfter(error: unknown, tries: number): number | undefined {
  if (tries >= mostTries) return undefined;
  const seconds = Math.min(firstPauseSeconds * 2 ** (tries - 1), longestPauseSeconds);
  if (error instanceof RetryAfterError) return Math.max(error.retryAfterSeconds, seconds) * 1000;
  return isOfServer(error) ? seconds * 1000 : undefined;
}

/** True where somebody may have to do something before any event can be written, such as to give the right to. */
function isRefusal(error: unknown): boolean {
  const isOver = isNamespaceEnding(error) || error instanceof NotFoundError;
  return isAnswer(error) && !isOfServer(error) && !isOver;
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
