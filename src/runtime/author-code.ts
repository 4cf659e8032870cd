import { TerminalError } from '../kube/errors.js';
import type { KubeObject } from '../kube/manifest.js';
import { refOf, show } from '../kube/object-ref.js';
import { owning } from './promise-owners.js';
import type { TimeLimit } from './time-limit.js';

/** A spec for which an author's code was seen to end. */
interface Proven {
  readonly uid: string;
  readonly generation: number | undefined;
  readonly parts: Set<string>;
}

interface Rejection {
  readonly uid: string;
  readonly generation: number | undefined;
  readonly error: Error;
}

/**
 * Runs what an author wrote for one custom resource: it ends in time, and a promise in it that is rejected marks that
 * custom resource, as an exception does, and nothing else.
 *
 * The limit of time costs a thread each time. What is pure and has ended once for a spec will end again, so only what is
 * new is limited: another spec, or other inputs.
 */
export class AuthorCode {
  readonly #rejections = new Map<string, Rejection>();
  readonly #proven = new Map<string, Proven>();

  /** `again` asks for another round, in which the rejection is told. */
  constructor(
    private readonly limit: TimeLimit,
    private readonly again: (key: string, reason: string) => void,
  ) {}

  /** Throws what `body` throws, and `TerminalError` while the spec is the one for which a promise was rejected. */
  run<T>(part: 'compose' | 'status', key: string, cr: KubeObject, body: () => T): T {
    const { uid, generation } = cr.metadata;
    const before = this.#rejections.get(key);
    if (before?.uid === uid && before.generation === generation) throw before.error;
    this.#rejections.delete(key);
    const what = `${part} of ${show(refOf(cr))}`;
    const rejected = (reason: unknown): void => {
      const error = new TerminalError(`a promise in ${what} was rejected: ${messageOf(reason)}`, {
        cause: reason,
        hint: `${part} is synchronous: declare what it waits for in reads or external`,
      });
      this.#rejections.set(key, { uid, generation, error });
      this.again(key, 'a promise was rejected');
    };
    const proven = this.#provenOf(key, uid, generation);
    if (proven.parts.has(part)) return owning(rejected, body);
    const value = owning(rejected, () => this.limit(what, body));
    proven.parts.add(part);
    return value;
  }

  /** An input of it has changed, with which nothing was seen to end. */
  changed(key: string): void {
    this.#proven.delete(key);
  }

  #provenOf(key: string, uid: string, generation: number | undefined): Proven {
    const before = this.#proven.get(key);
    if (before?.uid === uid && before.generation === generation) return before;
    const proven = { uid, generation, parts: new Set<string>() };
    this.#proven.set(key, proven);
    return proven;
  }

  forget(key: string): void {
    this.#rejections.delete(key);
    this.#proven.delete(key);
  }
}

const messageOf = (reason: unknown): string => (reason instanceof Error ? reason.message : String(reason));
