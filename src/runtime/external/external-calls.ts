import type { ExternalCall } from '../../compose/external.js';
import type { Operator } from '../../compose/operator.js';
import type { Clock, Random } from '../../kube/clock.js';
import type { Environment } from '../../kube/environment.js';
import { OperatorError, seemly, TerminalError } from '../../kube/errors.js';
import { type FirstAbort, firstAbort } from '../../kube/first-abort.js';
import type { KubeObject } from '../../kube/manifest.js';
import { refOf, show } from '../../kube/object-ref.js';
import { placeOfMistake } from '../author/authors-error.js';
import type { LookedOutFor, Lookout } from '../author/lookout.js';
import type { Occasion } from '../author/occasions.js';
import { owningAll, type Rejected } from '../author/stray-owners.js';
import { LateStoreError } from '../confirmation.js';
import type { Leadership } from '../lease/leader-only.js';
import { BackOffs } from '../queue/back-offs.js';
import type { NamedFunction, Tracing } from '../telemetry/tracing.js';
import { ExternalError, StrayError } from './external-error.js';
import { wordsOf } from './external-words.js';

export interface ExternalCallsOptions {
  readonly operator: Operator;
  readonly clock: Clock;
  readonly random: Random;
  /** The environment of the process that runs operators, of which each reads what it declares. */
  readonly settings: Environment;
  readonly fetch: typeof globalThis.fetch;
  /** Absent where nobody else acts for the same custom resources. */
  readonly leadership?: Leadership | undefined;
  /** Asks for another round, in which is told what went wrong behind an author's back. */
  readonly again: (key: string, reason: string) => void;
  /** Default: nobody follows it. */
  readonly tracing?: Tracing | undefined;
  /** Default: nobody names what stands still. */
  readonly lookout?: Lookout | undefined;
}

/** What nobody handled of the custom resource that has `key`, or had it. */
interface Stray {
  readonly key: string;
  readonly error: Error;
  isTaken: boolean;
}

/** After so long without an answer none is expected any more. */
const callSeconds = 30;

/**
 * Calls of an author's functions for what is outside the cluster.
 *
 * **Guarantees.** As with writes to the cluster, whether we still lead is looked up on the clock before each function is begun,
 * and before each request of it: a process that was stopped for long wakes up between any two, and another has acted since.
 * Nothing is remembered but how long to wait after a failure, and what an author's code left behind until it is told.
 */
export class ExternalCalls {
  readonly #backOffs: BackOffs;
  /** By uid, what an author's code left behind and nobody handled, until a round has told it. */
  readonly #strays = new Map<string, Stray>();

  constructor(private readonly options: ExternalCallsOptions) {
    const { random } = options;
    this.#backOffs = new BackOffs({ firstSeconds: 1, mostSeconds: 60, jitter: 0.5, random });
  }

  /**
   * Calls `body` for the external `name` of a custom resource; `ending`: to remove it. Throws `ExternalError` for what that throws, but
   * a `LateStoreError` as it is, and the reason of `signal` when that aborts.
   */
  async call<T>(
    { key, cr, inputs }: Occasion,
    name: string,
    signal: AbortSignal,
    body: (call: ExternalCall) => Promise<T>,
    ending?: { readonly hint: string },
  ): Promise<T> {
    const late = new AbortController();
    const cancel = this.options.clock.after(callSeconds * 1000, () =>
      late.abort(new Error(`no answer within ${callSeconds} s`)),
    );
    const first = firstAbort(signal, late.signal);
    const { signal: either } = first;
    const followed: FirstAbort[] = [first];
    const requests: Promise<unknown>[] = [];
    // What is not awaited ends with the process, too, and with the Lease.
    const letGo = () => Promise.allSettled(requests).then(() => followed.forEach((each) => void each.letGo()));
    let isOver = false;
    let giveUp = () => {};
    const ended = new Promise<never>((_, reject) => {
      giveUp = () => reject(either.reason as Error);
      either.addEventListener('abort', giveUp, { once: true });
    });
    ended.catch(() => {});
    const looked = this.options.lookout?.begin();
    try {
      const call: ExternalCall = {
        key: cr.metadata.uid,
        reads: inputs,
        fetch: (input, init) => {
          const request = this.#fetch(input, init, either, followed);
          requests.push(request);
          if (isOver) void letGo();
          // Another promise than the one that is looked at here, so that one that nobody handles is noticed.
          return request.then((response) => response);
        },
        signal: either,
        setting: (setting) => this.#setting(setting),
      };
      const told = { function: name, namespace: cr.metadata.namespace, name: cr.metadata.name };
      const rejected: Rejected = (reason, how) => this.#strayed(key, cr, name, reason, how);
      const done = this.#mayBegin(looked).then(() => {
        either.throwIfAborted();
        return owningAll({ controller: this.options.operator.name, ...told, rejected }, () =>
          this.#followed(told, () => body(call)),
        );
      });
      return await Promise.race([done, ended]);
    } catch (thrown) {
      signal.throwIfAborted();
      const cause = seemly(thrown);
      if (cause instanceof LateStoreError) throw cause;
      const isFinal = cause instanceof TerminalError && ending === undefined;
      const { settings } = this.options;
      const advice =
        cause instanceof OperatorError && cause.hint !== undefined ? wordsOf(cause.hint, settings) : undefined;
      const place = placeOfMistake(cause);
      const hints = [advice, place && `it was thrown at ${place}`, ending?.hint].filter((each) => each !== undefined);
      const hint = hints.length === 0 ? undefined : hints.join('; ');
      const what = `${show(refOf(cr))}: ${name} cannot be ${ending ? 'removed' : 'brought up to date'}`;
      const patience = isFinal ? this.#pollSeconds(name) * 1000 : this.#backOffs.next(key);
      throw new ExternalError(`${what}: ${wordsOf(cause, settings)}`, patience, { cause, hint, isFinal });
    } finally {
      cancel();
      looked?.end();
      either.removeEventListener('abort', giveUp);
      isOver = true;
      void letGo();
    }
  }

  async #mayBegin(looked: LookedOutFor | undefined): Promise<void> {
    await looked?.isSeen;
    await this.mayAct();
  }

  #followed<T>(what: NamedFunction, body: () => Promise<T>): Promise<T> {
    const { tracing } = this.options;
    return tracing ? tracing.outside(what, body) : body();
  }

  /** What an author's code left behind and nobody was told of, as an error of the round that takes it. */
  takeStray(key: string, { metadata: { uid } }: KubeObject): StrayError | undefined {
    // Of one that had its name before there is nobody left to tell.
    this.#forgetStrays((stray, owner) => stray.key === key && owner !== uid);
    const stray = this.#strays.get(uid);
    if (!stray) return undefined;
    stray.isTaken = true;
    return new StrayError(stray.error.message, this.#backOffs.next(key), { cause: stray.error });
  }

  /** What was taken last was told. */
  told(key: string): void {
    this.#forgetStrays((stray) => stray.key === key && stray.isTaken);
  }

  /** Nothing failed: the next failure waits the shortest time again. */
  well(key: string): void {
    this.#backOffs.forget(key);
  }

  forget(key: string): void {
    this.#backOffs.forget(key);
    this.#forgetStrays((stray) => stray.key === key);
  }

  #forgetStrays(isOver: (stray: Stray, uid: string) => boolean): void {
    for (const [uid, stray] of this.#strays) if (isOver(stray, uid)) this.#strays.delete(uid);
  }

  #strayed(key: string, cr: KubeObject, name: string, reason: unknown, how: string): void {
    const what = how === 'threw' ? 'a callback' : 'a promise';
    const message = `${show(refOf(cr))}: ${what} of ${name} ${how}, which nobody handles: ${wordsOf(reason, this.options.settings)}`;
    const { uid } = cr.metadata;
    const isNews = this.#strays.get(uid)?.isTaken !== false;
    this.#strays.set(uid, { key, error: new Error(message, { cause: reason }), isTaken: false });
    // After a failure there will be another round anyway, and no sooner.
    if (isNews && !this.#backOffs.has(key)) this.options.again(key, `${what} ${how}`);
  }

  /** Resolves when it is sure that nobody else acts. */
  async mayAct(): Promise<void> {
    const { leadership } = this.options;
    while (leadership && leadership.left <= 0) await leadership.renewed();
  }

  /** Ends with `signal`, and with what the author's code hands in, which is then one of `followed`. */
  async #fetch(
    input: Parameters<typeof globalThis.fetch>[0],
    init: RequestInit | undefined,
    signal: AbortSignal,
    followed: FirstAbort[],
  ): Promise<Response> {
    await this.mayAct();
    const own = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    if (!own) return this.options.fetch(input, { ...init, signal });
    const first = firstAbort(signal, own);
    followed.push(first);
    return this.options.fetch(input, { ...init, signal: first.signal });
  }

  #setting(name: string): string {
    const { operator, settings } = this.options;
    const purpose = operator.settings[name];
    if (purpose === undefined) {
      throw new TerminalError(`the operator ${operator.name} asks for the setting ${name}, which it does not declare`, {
        hint: `add it to settings: { ${name}: 'What it is for.' }`,
      });
    }
    const value = settings[name];
    if (value) return value;
    // No process gets another environment: it is there after a restart at the soonest.
    throw new TerminalError(`the setting ${name} is missing`, {
      // What follows it is not a sentence of its own.
      hint: `set the environment variable ${name} of the controller: ${purpose.replace(/\.$/, '')}`,
    });
  }

  #pollSeconds(name: string): number {
    return this.options.operator.external[name]!.pollSeconds;
  }
}
