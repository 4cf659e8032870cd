import type { Json, KubeObject } from '../../src/kube/manifest.js';
import { refOf, show } from '../../src/kube/object-ref.js';

/** The same is counted up on the first event for so long. */
const seriesMilliseconds = 6 * 60_000;

/** As the server stores it. */
interface Event extends KubeObject {
  readonly eventTime?: string;
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly involvedObject?: { readonly uid?: string };
  readonly series?: { readonly lastObservedTime: string };
}

/** What must never be told, in an event or in a status: twice the same, and what only a Secret has. */
export class EventHistory {
  /** By writer and what is told, when that happened last, by the wall clock. */
  readonly #told = new Map<string, number>();
  /** What somebody put into a Secret, and nowhere else; as text and as it is stored. */
  readonly #secrets = new Set<string>();

  constructor(private readonly hasTrueClocks: boolean) {}

  secretChanged({ kind, data }: KubeObject & { readonly data?: Json }): void {
    if (kind !== 'Secret') return;
    for (const stored of Object.values((data ?? {}) as Readonly<Record<string, string>>)) {
      const text = Buffer.from(stored, 'base64').toString('utf8');
      // What else is in one is in custom resources, too.
      if (/^drift-\d+$/.test(text)) this.#secrets.add(text).add(stored);
    }
  }

  /** What is wrong about an event that `by` has made, or counted up. */
  told(by: string, event: Event, isNew: boolean): string | undefined {
    const { eventTime = '', type, reason, message, involvedObject, series } = event;
    const key = [by, involvedObject?.uid, type, reason, message].join('\n');
    const last = this.#told.get(key);
    this.#told.set(key, Date.parse(series?.lastObservedTime ?? eventTime));
    const isAgain = isNew && last !== undefined && Date.parse(eventTime) - last < seriesMilliseconds;
    return isAgain && this.hasTrueClocks ? `tells twice, and does not count: ${reason} "${message}"` : undefined;
  }

  /** What is wrong about the words of an event or a custom resource. */
  leaked(object: KubeObject): string | undefined {
    const words = JSON.stringify([object['message'], object['status']]);
    const leaked = [...this.#secrets].find((each) => new RegExp(`${each}(?!\\w)`).test(words));
    return leaked && `${show(refOf(object))} has "${leaked}", which is a Secret's`;
  }
}
