import type { KubeObject } from '../../src/kube/manifest.js';

/** How a child is beside what its custom resource desires by what the API server has. */
export interface Sight {
  readonly isRight: boolean;
  /** Another text for another edit of the custom resource, or where something else is desired. */
  readonly of: string;
}

/**
 * What a controller wrote and was right stays as the next one leads, until anybody asks for something else or changes it: whoever
 * writes anything else there goes by what was before.
 */
export class Backslides {
  /** By uid, the version of a child that a controller wrote rightly, who that was, and what it followed from. */
  readonly #right = new Map<string, { readonly version: string; readonly by: string; readonly of: string }>();
  #asked = 0;

  /** Somebody who is no controller changed something, also if it is soon as it was. */
  asked(): void {
    this.#asked++;
  }

  /**
   * True where a write by `by` made of what another had made right what is not. Who made it hears of all that happened, one after the
   * other. `isPatch`: it only makes way for the one that follows.
   */
  wrote(by: string, before: KubeObject | undefined, { metadata }: KubeObject, now: Sight, isPatch: boolean): boolean {
    const { uid, resourceVersion: version } = metadata;
    const last = this.#right.get(uid);
    const isLast = last !== undefined && last.version === before?.metadata.resourceVersion;
    if (isPatch) {
      if (isLast) this.#right.set(uid, { ...last, version });
      return false;
    }
    const of = `${this.#asked} ${now.of}`;
    if (now.isRight) this.#right.set(uid, { version, by, of });
    return !now.isRight && isLast && last.of === of && last.by !== by;
  }
}
