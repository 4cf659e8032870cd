import { TerminalError } from '../kube/errors.js';
import type { KubeObject } from '../kube/manifest.js';
import { refOf, show } from '../kube/object-ref.js';
import { owning } from './promise-owners.js';
import type { TimeLimit } from './time-limit.js';

interface Rejection {
  readonly uid: string;
  readonly generation: number | undefined;
  readonly error: Error;
}

/**
 * Runs what an author wrote for one custom resource: it ends in time, and a promise in it that is rejected marks that
 * custom resource, as an exception does, and nothing else.
 */
export class AuthorCode {
  readonly #rejections = new Map<string, Rejection>();

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
    return owning(rejected, () => this.limit(what, body));
  }

  forget(key: string): void {
    this.#rejections.delete(key);
  }
}

const messageOf = (reason: unknown): string => (reason instanceof Error ? reason.message : String(reason));
