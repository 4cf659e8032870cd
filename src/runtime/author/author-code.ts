import type { Composition } from '../../compose/composition.js';
import type { Operator } from '../../compose/operator.js';
import type { Clock } from '../../kube/clock.js';
import { asError, TerminalError } from '../../kube/errors.js';
import { frozen } from '../../kube/frozen.js';
import type { KubeObject, Manifest } from '../../kube/manifest.js';
import { keyOf, refOf } from '../../kube/object-ref.js';
import type { AuthorTurn } from './author-turn.js';
import { called, namingErrors } from './authors-error.js';
import { type Known, KnownCode, type Part, sightOf } from './known-code.js';
import { isSameOccasion, type Occasion, type Occasions, type Subject } from './occasions.js';
import type { Rejected } from './stray-owners.js';
import { type TimeLimit, TimeLimitError } from './time-limit.js';

export interface AuthorCodeOptions {
  readonly operator: Operator;
  /** Absent where an author's code may take as long as it likes. */
  readonly limit: TimeLimit | undefined;
  readonly turn: AuthorTurn;
  readonly clock: Clock;
  /** Asks for another round, in which a rejection is told. */
  readonly again: (key: string, reason: string) => void;
  readonly occasions: Pick<Occasions, 'of' | 'waiting'>;
  /** A child as it is in the cluster. */
  readonly stored: (manifest: Manifest) => KubeObject | undefined;
}

type Children = Readonly<Record<string, KubeObject | undefined>>;
type States = Readonly<Record<string, unknown>>;

interface Prepared extends Occasion {
  readonly outcome: { readonly composition: Composition } | { readonly error: unknown };
}

/** No longer does one that waits for its turn look after others first. */
const mostMillisecondsAhead = 50;
const mostAhead = 64;
/** What its status says did not end gets less time than others. */
const suspectMilliseconds = 1000;

/**
 * Runs what an author wrote for one custom resource: it ends in time, and a promise in it that is rejected marks that
 * custom resource, as an exception does, and nothing else. So does a callback that it leaves behind and that throws.
 *
 * A limit of time costs a thread. What is pure and has ended once for what it sees will end again, so that only what is new is
 * limited: another spec, other inputs, or children that are not as they were. And where many are new, as they are after a
 * start, those that wait are composed under the limit of the first.
 *
 * **Assumes** that nobody calls it while there is a `rest`.
 */
export class AuthorCode {
  readonly #known = new KnownCode();
  /** What was composed for those that wait, in the order in which it was. */
  readonly #prepared = new Map<string, Prepared>();

  constructor(private readonly options: AuthorCodeOptions) {}

  /** What has to be waited for, until it is undefined: others have their turn after what took long. */
  get rest(): Promise<void> | undefined {
    return this.options.turn.rest;
  }

  /**
   * What `cr` is composed of and by. Throws as `Occasions` does, and where what selects the inputs does not end. Of what is new
   * it composes at once, under the same limit.
   */
  occasion(key: string, cr: KubeObject): Occasion {
    const { limit, turn } = this.options;
    const known = this.#known.of(key, cr);
    const isNew = known.ended === 'nothing' && !known.failed;
    const selected = limit && isNew ? this.#prepare(limit, { key, cr }) : undefined;
    if (known.failed?.part === 'reads') throw known.failed.error;
    return selected ?? turn.take(() => this.#selection({ key, cr }));
  }

  /** Throws what the author's code throws, and again what it threw late or not in time, while the same is asked for. */
  compose(occasion: Occasion): Composition {
    const { limit } = this.options;
    const known = this.#known.of(occasion.key, occasion.cr);
    if (limit && known.ended === 'nothing' && !known.failed) this.#prepare(limit, occasion, occasion);
    if (known.failed?.part === 'compose') throw known.failed.error;
    const prepared = this.#prepared.get(occasion.key);
    this.#prepared.delete(occasion.key);
    if (!prepared || !isSameOccasion(prepared, occasion)) return this.options.turn.take(() => this.#composed(occasion));
    if ('error' in prepared.outcome) throw prepared.outcome.error;
    return prepared.outcome.composition;
  }

  /** Throws as `compose` does. */
  status(occasion: Occasion, children: Children, states: States): Readonly<Record<string, unknown>> {
    const { limit, operator } = this.options;
    const known = this.#known.of(occasion.key, occasion.cr);
    if (known.failed) throw known.failed.error;
    const run = () => this.#status(occasion, children, states);
    if (!limit) return this.options.turn.take(run);
    const seen = sightOf(children, states, operator.name);
    if (known.ended === 'all' && seen !== undefined && known.seen === seen) return this.options.turn.take(run);
    const most = known.isSuspect ? suspectMilliseconds : undefined;
    try {
      const fields = this.options.turn.take(() => limit(() => called('status', occasion.cr), run, most));
      known.ended = 'all';
      if (seen !== undefined) known.seen = seen;
      return fields;
    } catch (error) {
      if (error instanceof TimeLimitError) known.failed = { part: 'status', error };
      throw error;
    }
  }

  /** An input of it has changed, with which nothing was seen to end, and nothing to fail. */
  changed(key: string): void {
    this.#known.forget(key);
  }

  forget(key: string): void {
    this.#known.forget(key);
    this.#prepared.delete(key);
  }

  /**
   * Composes for one, of what it is `given` or selects, and for those that wait and are new, under one limit of time. Of the
   * one it is what was selected, if anything was.
   */
  #prepare(limit: TimeLimit, first: Subject, given?: Occasion): Occasion | undefined {
    const { clock } = this.options;
    const began = clock.monotonic();
    let current = first;
    let own: Occasion | undefined;
    let part: Part = 'reads';
    const { isSuspect } = this.#known.of(first.key, first.cr);
    const all = () => {
      for (current of isSuspect ? [first] : this.#upcoming(first)) {
        part = 'reads';
        const isFirst = current === first;
        const occasion = isFirst && given ? given : this.#selected(current);
        if (isFirst) own = occasion;
        if (!occasion) continue;
        part = 'compose';
        const outcome = this.#attempt(occasion);
        this.#keep({ ...occasion, outcome });
        this.#known.of(current.key, current.cr).ended = 'compose';
        part = 'status';
        if ('composition' in outcome) this.#tryStatus(occasion, outcome.composition);
        if (clock.monotonic() - began > mostMillisecondsAhead) return;
      }
    };
    try {
      this.options.turn.take(() =>
        limit(() => called(part, current.cr), all, isSuspect ? suspectMilliseconds : undefined),
      );
    } catch (error) {
      if (!(error instanceof TimeLimitError)) throw error;
      // Told at its own turn; once is enough for everybody to stand still.
      this.#known.of(current.key, current.cr).failed = { part, error };
    }
    return own;
  }

  /** Of those that wait none that is likely to take the others' time. */
  *#upcoming(first: Subject): Generator<Subject> {
    yield first;
    const isNew = (key: string, cr: KubeObject) => {
      if (this.#prepared.has(key)) return false;
      const { ended, failed, isSuspect } = this.#known.of(key, cr);
      return ended === 'nothing' && !failed && !isSuspect;
    };
    yield* this.options.occasions.waiting(mostAhead, isNew);
  }

  #keep(prepared: Prepared): void {
    this.#prepared.set(prepared.key, prepared);
    if (this.#prepared.size <= 2 * mostAhead) return;
    const [oldest] = this.#prepared.keys();
    this.#prepared.delete(oldest as string);
  }

  #selected(subject: Subject): Occasion | undefined {
    try {
      return this.#selection(subject);
    } catch {
      return undefined; // It fails in the same way when its turn comes, and is told then.
    }
  }

  #attempt(occasion: Occasion): Prepared['outcome'] {
    try {
      return { composition: this.#composed(occasion) };
    } catch (error) {
      return { error };
    }
  }

  /**
   * Whether status ends, of children as they are in the cluster. Those that are not there yet are taken as they were composed:
   * as an API server has them that has just stored them.
   */
  #tryStatus(occasion: Occasion, { children, returned }: Composition): void {
    const { stored, operator } = this.options;
    const composed = new Map(children.map((manifest) => [keyOf(refOf(manifest)), manifest]));
    const there: Record<string, KubeObject> = {};
    const observed: Record<string, KubeObject | undefined> = {};
    for (const [id, ref] of Object.entries(returned)) {
      const manifest = composed.get(keyOf(ref));
      const known = manifest && stored(manifest);
      if (known) there[id] = frozen(known);
      // It is about to be made: what status would change of it would be so in the cluster.
      observed[id] = known ?? frozen(manifest as unknown as KubeObject | undefined);
    }
    try {
      this.#status(occasion, observed, {});
    } catch {
      // It asks for what only a cluster gives, and is limited when it has that.
      return;
    }
    const known = this.#known.of(occasion.key, occasion.cr);
    known.ended = 'all';
    known.seen = sightOf(there, {}, operator.name) ?? '';
  }

  #selection({ key, cr }: Subject): Occasion {
    return this.#run('reads', key, cr, () => this.options.occasions.of(key, cr));
  }

  #composed({ key, cr, inputs }: Occasion): Composition {
    return this.#run('compose', key, cr, () => this.options.operator.composition(cr, inputs));
  }

  #status({ key, cr, inputs }: Occasion, children: Children, states: States): Readonly<Record<string, unknown>> {
    return this.#run('status', key, cr, () => this.options.operator.status(children, inputs, cr, states));
  }

  #run<T>(part: Part, key: string, cr: KubeObject, body: () => T): T {
    const { namespace, name } = cr.metadata;
    const known = this.#known.of(key, cr);
    const rejected: Rejected = (reason, how) => this.#rejected(part, { key, cr }, known, reason, how);
    return this.options.turn.run({ function: part, namespace, name, rejected }, () => namingErrors(part, cr, body));
  }

  #rejected(part: Part, { key, cr }: Subject, known: Known, reason: unknown, how: string): void {
    // Of other inputs, or of another spec, it says nothing.
    if (this.#known.ofSame(key, cr) !== known) return;
    const what = how === 'threw' ? 'a callback' : 'a promise';
    const error = new TerminalError(`${what} in ${called(part, cr)} ${how}: ${asError(reason).message}`, {
      cause: reason,
      hint: `${part === 'reads' ? 'what selects inputs' : part} is synchronous: declare what it waits for in reads or external`,
    });
    known.failed = { part, error };
    this.options.again(key, `${what} ${how}`);
  }
}
