import type { Clock, Random } from '../../kube/clock.js';
import type { KubeObject } from '../../kube/manifest.js';
import { type BuiltIn, events } from './built-in.js';
import { timestamp } from './controller.js';
import type { ObjectIndex } from './object-index.js';
import type { Writer } from './writer.js';

/** What is remembered, so that what happens again counts up an Event instead of adding one. */
const remembered = 4096;

/**
 * Says what a controller did, as `kubectl describe` shows it.
 *
 * **Guarantees.** Never throws: an Event that cannot be written, in a namespace that is going for one, is left unsaid.
 */
export class EventRecorder {
  readonly #names = new Map<string, string>();

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

  #record(about: KubeObject, type: string, reason: string, message: string): void {
    const { namespace = 'default', name, uid, resourceVersion } = about.metadata;
    const now = timestamp(this.clock.now());
    const key = [uid, type, reason, message].join('\n');
    try {
      const before = this.#before(events, namespace, key);
      if (before) {
        const count = (typeof before['count'] === 'number' ? before['count'] : 1) + 1;
        this.writer.patch(before, { count, lastTimestamp: now });
        return;
      }
      const written = this.writer.create(events, namespace, {
        metadata: { name: `${name}.${this.#nanoseconds()}`, namespace },
        involvedObject: {
          kind: about.kind,
          ...(about.metadata.namespace === undefined ? {} : { namespace }),
          name,
          uid,
          apiVersion: about.apiVersion,
          resourceVersion,
        },
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
      if (this.#names.size > remembered) this.#names.delete(this.#names.keys().next().value!);
    } catch {
      // Events are a courtesy; the work itself must go on.
    }
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
