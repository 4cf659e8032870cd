import type { Composition } from '../compose/composition.js';
import type { Operator } from '../compose/operator.js';
import type { Inputs } from '../compose/reads.js';
import type { Clock } from '../kube/clock.js';
import { asError, TerminalError } from '../kube/errors.js';
import type { KubeObject } from '../kube/manifest.js';
import { keyOf, refOf, show } from '../kube/object-ref.js';
import type { Occasion, Occasions } from './occasions.js';
import { owning } from './promise-owners.js';
import { type TimeLimit, TimeLimitError } from './time-limit.js';

export interface AuthorCodeOptions {
  readonly operator: Operator;
  /** Absent where an author's code may take as long as it likes. */
  readonly limit: TimeLimit | undefined;
  readonly clock: Clock;
  /** Asks for another round, in which a rejection is told. */
  readonly again: (key: string, reason: string) => void;
  readonly occasions: Pick<Occasions, 'waiting'>;
}

type Part = 'compose' | 'status';

/** What somebody may ask for by a custom resource. */
type Asked = Pick<KubeObject['metadata'], 'uid' | 'generation' | 'labels' | 'annotations'>;

/** What was learnt of one custom resource, for as long as it asks for the same. */
interface Known {
  readonly asked: Asked;
  /** What was seen to end. */
  ended: 'nothing' | 'compose' | 'all';
  /** Because it did not end, or a promise in it was rejected. */
  failed?: { readonly part: Part; readonly error: Error };
}

interface Prepared extends Occasion {
  readonly outcome: { readonly composition: Composition } | { readonly error: unknown };
}

/** No longer does one that waits for its turn look after others first. */
const mostMillisecondsAhead = 50;
const mostAhead = 64;

/**
 * Runs what an author wrote for one custom resource: it ends in time, and a promise in it that is rejected marks that
 * custom resource, as an exception does, and nothing else.
 *
 * A limit of time costs a thread. What is pure and has ended once for a spec will end again, so that only what is new is
 * limited: another spec, or other inputs. And where many are new, as they are after a start, those that wait are composed
 * under the limit of the first.
 */
export class AuthorCode {
  readonly #known = new Map<string, Known>();
  /** What was composed for those that wait, in the order in which it was. */
  readonly #prepared = new Map<string, Prepared>();

  constructor(private readonly options: AuthorCodeOptions) {}

  /** Throws what the author's code throws, and again what it threw late or not in time, while the same is asked for. */
  compose(occasion: Occasion): Composition {
    const { limit } = this.options;
    const known = this.#knownOf(occasion);
    if (limit && known.ended === 'nothing' && !known.failed) this.#prepare(occasion, limit);
    if (known.failed?.part === 'compose') throw known.failed.error;
    const prepared = this.#prepared.get(occasion.key);
    this.#prepared.delete(occasion.key);
    if (!prepared || !isSame(prepared, occasion)) return this.#composed(occasion);
    if ('error' in prepared.outcome) throw prepared.outcome.error;
    return prepared.outcome.composition;
  }

  /** Throws as `compose` does. */
  status(
    occasion: Occasion,
    children: Readonly<Record<string, KubeObject | undefined>>,
    states: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>> {
    const { limit } = this.options;
    const known = this.#knownOf(occasion);
    if (known.failed) throw known.failed.error;
    const run = () => this.#status(occasion, children, states);
    if (!limit || known.ended === 'all') return run();
    const fields = limit(() => called('status', occasion.cr), run);
    known.ended = 'all';
    return fields;
  }

  /** An input of it has changed, with which nothing was seen to end, and nothing to fail. */
  changed(key: string): void {
    this.#known.delete(key);
  }

  forget(key: string): void {
    this.#known.delete(key);
    this.#prepared.delete(key);
  }

  /** Composes for one, and for those that wait and of which nothing is known yet, under one limit of time. */
  #prepare(first: Occasion, limit: TimeLimit): void {
    const { clock } = this.options;
    const began = clock.monotonic();
    let current = first;
    let part: Part = 'compose';
    try {
      limit(
        () => called(part, current.cr),
        () => {
          for (current of this.#upcoming(first)) {
            part = 'compose';
            const outcome = this.#attempt(current);
            this.#keep({ ...current, outcome });
            this.#knownOf(current).ended = 'compose';
            part = 'status';
            if ('composition' in outcome) this.#tryStatus(current, outcome.composition);
            if (clock.monotonic() - began > mostMillisecondsAhead) return;
          }
        },
      );
    } catch (error) {
      if (!(error instanceof TimeLimitError)) throw error;
      // Told at its own turn; once is enough for everybody to stand still.
      this.#knownOf(current).failed = { part, error };
    }
  }

  *#upcoming(first: Occasion): Generator<Occasion> {
    yield first;
    const isNew = (key: string, cr: KubeObject) =>
      !this.#prepared.has(key) && this.#knownOf({ key, cr }).ended === 'nothing';
    yield* this.options.occasions.waiting(mostAhead, isNew);
  }

  #keep(prepared: Prepared): void {
    this.#prepared.set(prepared.key, prepared);
    if (this.#prepared.size <= 2 * mostAhead) return;
    const [oldest] = this.#prepared.keys();
    this.#prepared.delete(oldest as string);
  }

  #attempt(occasion: Occasion): Prepared['outcome'] {
    try {
      return { composition: this.#composed(occasion) };
    } catch (error) {
      return { error };
    }
  }

  /** Whether status ends, of children as they were composed: as an API server has them that has just stored them. */
  #tryStatus(occasion: Occasion, { children, returned }: Composition): void {
    const composed = new Map(children.map((manifest) => [keyOf(refOf(manifest)), manifest as unknown as KubeObject]));
    try {
      const stored = Object.entries(returned).map(([id, ref]) => [id, composed.get(keyOf(ref))] as const);
      this.#status(occasion, Object.fromEntries(stored), {});
      this.#knownOf(occasion).ended = 'all';
    } catch {
      // It asks for what only a cluster gives, and is limited when it has that.
    }
  }

  #composed(occasion: Occasion): Composition {
    const { key, cr, inputs } = occasion;
    return owning(
      (reason) => this.#rejected('compose', key, cr, reason),
      () => this.options.operator.composition(cr, inputs),
    );
  }

  #status(
    { key, cr, inputs }: Occasion,
    children: Readonly<Record<string, KubeObject | undefined>>,
    states: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>> {
    return owning(
      (reason) => this.#rejected('status', key, cr, reason),
      () => this.options.operator.status(children, inputs, cr, states),
    );
  }

  #rejected(part: Part, key: string, cr: KubeObject, reason: unknown): void {
    const known = this.#known.get(key);
    if (!known || !asksTheSame(known.asked, cr.metadata)) return;
    const error = new TerminalError(`a promise in ${called(part, cr)} was rejected: ${asError(reason).message}`, {
      cause: reason,
      hint: `${part} is synchronous: declare what it waits for in reads or external`,
    });
    known.failed = { part: 'compose', error };
    this.options.again(key, 'a promise was rejected');
  }

  #knownOf({ key, cr }: Pick<Occasion, 'key' | 'cr'>): Known {
    const before = this.#known.get(key);
    if (before && asksTheSame(before.asked, cr.metadata)) return before;
    const known: Known = { asked: askedBy(cr.metadata), ended: 'nothing' };
    this.#known.set(key, known);
    return known;
  }
}

const called = (part: Part, cr: KubeObject): string => `${part} of ${show(refOf(cr))}`;

/** Apart from the object, of which more is kept in no memory than is needed. */
function askedBy({ uid, generation, labels, annotations }: KubeObject['metadata']): Asked {
  return {
    uid,
    ...(generation === undefined ? {} : { generation }),
    ...(labels ? { labels } : {}),
    ...(annotations ? { annotations } : {}),
  };
}

function asksTheSame(a: Asked, b: Asked): boolean {
  return (
    a.uid === b.uid &&
    a.generation === b.generation &&
    isSameMap(a.labels, b.labels) &&
    isSameMap(a.annotations, b.annotations)
  );
}

function isSameMap(a: Asked['labels'] = {}, b: Asked['labels'] = {}): boolean {
  if (a === b) return true;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

/** Stores replace objects, and change none. */
function isSame(a: Occasion, b: Occasion): boolean {
  return a.cr === b.cr && Object.keys(b.inputs).every((name) => isSameInput(a.inputs[name], b.inputs[name]));
}

function isSameInput(a: Inputs[string], b: Inputs[string]): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
