import type { Clock, Random } from '../../kube/clock.js';
import type { KubeObject } from '../../kube/manifest.js';
import { timestamp } from '../../kube/timestamp.js';
import { type BuiltIn, events } from './built-in.js';

import type { ObjectIndex } from './object-index.js';
import type { Writer } from './writer.js';

/** What is remembered, so that what happens again counts up an Event instead of adding one. */
const remembered = 4096;
/** From so many on, those that are alike but for their message become one, unless it is long since the last. */
const alike = 10;
const alikeMilliseconds = 600_000;
/** About one object not more are said at first, and then one in so long. */
const burst = 25;
const refillMilliseconds = 300_000;

/**
 * Says what a controller did, as `kubectl describe` shows it.
 *
 * **Guarantees.** Never throws: an Event that cannot be written, in a namespace that is going for one, is left unsaid.
 */
export class EventRecorder {
  readonly #names = new Map<string, string>();
  readonly #alike = new Map<string, { readonly messages: Set<string>; at: number }>();
  readonly #said = new Map<string, { left: number; at: number }>();

  constructor(
    private readonly component: string,
    private readonly index: ObjectIndex,
    private readonly writer: Writer,
    private readonly clock: Clock,
    private readonly random: Random,
  ) {}

  /** An ordinary step. */
  normal(about: KubeObject, reason: string, message: string): void {
    this.#record(about, 'Normal', reason, message);
  }

  warning(about: KubeObject, reason: string, message: string): void {
    this.#record(about, 'Warning', reason, message);
  }

  #record(about: KubeObject, type: string, reason: string, said: string): void {
    if (!this.#maySay(about.metadata.uid)) return;
    const group = [about.metadata.uid, type, reason].join('\n');
    const isOneOfMany = this.#isOneOfMany(group, said);
    const message = isOneOfMany ? `(combined from similar events): ${said}` : said;
    const { namespace = 'default', name } = about.metadata;
    const now = timestamp(this.clock.now());
    const key = isOneOfMany ? group : `${group}\n${message}`;
    try {
      const before = this.#before(events, namespace, key);
      if (before) {
        const count = (typeof before['count'] === 'number' ? before['count'] : 1) + 1;
        this.writer.patch(before, { count, lastTimestamp: now, message });
        return;
      }
      const written = this.writer.create(events, namespace, {
        metadata: { name: `${name}.${this.#nanoseconds()}`, namespace },
        involvedObject: referenceTo(about),
        reason,
        message,
        source: { component: this.component },
        firstTimestamp: now,
        lastTimestamp: now,
        count: 1,
        type,
        reportingComponent: this.component,
        reportingInstance: '',
      });
      this.#names.set(key, written.metadata.name);
      forgetOldest(this.#names);
    } catch {
      // Events are a courtesy; the work itself must go on.
    }
  }

  #isOneOfMany(group: string, message: string): boolean {
    const now = this.clock.monotonic();
    const known = this.#alike.get(group);
    const seen = known && now - known.at <= alikeMilliseconds ? known : { messages: new Set<string>(), at: now };
    seen.messages.add(message);
    seen.at = now;
    this.#alike.set(group, seen);
    forgetOldest(this.#alike);
    return seen.messages.size >= alike;
  }

  #maySay(uid: string): boolean {
    const now = this.clock.monotonic();
    const bucket = this.#said.get(uid) ?? { left: burst, at: now };
    this.#said.set(uid, bucket);
    forgetOldest(this.#said);
    bucket.left = Math.min(burst, bucket.left + (now - bucket.at) / refillMilliseconds);
    bucket.at = now;
    if (bucket.left < 1) return false;
    bucket.left -= 1;
    return true;
  }

  #before(resource: BuiltIn<KubeObject>, namespace: string, key: string): KubeObject | undefined {
    const name = this.#names.get(key);
    return name === undefined ? undefined : this.index.get(resource, namespace, name);
  }

  /** Hexadecimal, as the names of Events end. */
  #nanoseconds(): string {
    const within = Math.floor(this.random() * 1_000_000);
    return (BigInt(Math.floor(this.clock.now())) * 1_000_000n + BigInt(within)).toString(16);
  }
}

function referenceTo({ apiVersion, kind, metadata }: KubeObject) {
  const { namespace, name, uid, resourceVersion } = metadata;
  return { kind, ...(namespace === undefined ? {} : { namespace }), name, uid, apiVersion, resourceVersion };
}

function forgetOldest(map: Map<string, unknown>): void {
  if (map.size > remembered) map.delete(map.keys().next().value!);
}
