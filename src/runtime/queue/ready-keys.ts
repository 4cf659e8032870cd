import { Line } from './line.js';
import type { Reasons } from './reasons.js';

/** What goes first when workers are busy. */
export const priorities = { changed: 0, related: 1, resync: 2 } as const;
export type Priority = (typeof priorities)[keyof typeof priorities];

export interface Waiting {
  readonly reasons: Reasons;
  priority: Priority;
  /** Since when it is ready; absent before. */
  since?: number;
  /** Its deadline has come: it is to be worked on, whatever else turns out to be no news. */
  isDue?: true;
}

type Entry = readonly [key: string, waiting: Waiting];
type Keys = Line<string, Waiting>;

/**
 * The keys that wait for a worker, and which of them is next.
 *
 * Every other one that is taken is the most urgent that there is, in whatever group; within a priority groups take turns.
 * The ones between go to the groups in turns, whatever they have: the most urgent of each, and every other time what has
 * waited longest in it. So what somebody has just changed waits for no backlog, be it that of its own group or of all, and
 * for one other key at most; and who changes things all the time takes half of the work from other groups, and three
 * quarters from what is less urgent in their own, and never all. Each key costs the same, however many wait.
 */
export class ReadyKeys {
  readonly #all = new Map<string, Waiting>();
  /** By priority, then by group, each in order of arrival. */
  readonly #byPriority: Line<string, Keys>[] = [new Line(), new Line(), new Line()];
  /** The groups that have keys, the one first that has had no turn for longest; true where what has waited longest is next. */
  readonly #turns = new Line<string, boolean>();
  #isTurn = false;

  constructor(private readonly groupOf: (key: string) => string) {}

  get size(): number {
    return this.#all.size;
  }

  /** In about the order in which they are taken. */
  *keys(): Generator<string> {
    for (const groups of this.#byPriority) for (const group of groups.keys()) yield* groups.get(group)?.keys() ?? [];
  }

  get(key: string): Waiting | undefined {
    return this.#all.get(key);
  }

  add(key: string, waiting: Waiting): void {
    const group = this.groupOf(key);
    this.#all.set(key, waiting);
    if (!this.#turns.has(group)) this.#turns.push(group, false);
    const groups = this.#groups(waiting.priority);
    const keys = groups.get(group);
    if (keys) keys.push(key, waiting);
    else groups.push(group, new Line<string, Waiting>().push(key, waiting));
  }

  /** A key that waits has become more urgent. */
  raise(key: string, waiting: Waiting, priority: Priority): void {
    this.#remove(key, waiting, this.groupOf(key));
    waiting.priority = priority;
    this.add(key, waiting);
  }

  /** The next key of a group that may have a worker. */
  take(may: (group: string) => boolean = () => true): Entry | undefined {
    const isTurn = this.#isTurn;
    const group = isTurn ? first(this.#turns.keys(), may) : this.#mostUrgent(may);
    if (group === undefined) return undefined;
    this.#isTurn = !isTurn;
    const isForOldest = this.#turns.get(group) as boolean;
    const [key, waiting] = isTurn && isForOldest ? this.#oldestOf(group) : (this.#firstsOf(group)[0] as Entry);
    const groups = this.#groups(waiting.priority);
    const keys = groups.get(group) as Keys;
    this.#remove(key, waiting, group);
    // To the end of both lines.
    if (groups.has(group)) groups.push(group, keys);
    if (this.#turns.has(group)) this.#turns.push(group, isTurn ? !isForOldest : isForOldest);
    return [key, waiting];
  }

  clear(): void {
    this.#all.clear();
    this.#turns.clear();
    for (const groups of this.#byPriority) groups.clear();
  }

  /** The group of the most urgent key. */
  #mostUrgent(may: (group: string) => boolean): string | undefined {
    for (const groups of this.#byPriority) {
      const group = first(groups.keys(), may);
      if (group !== undefined) return group;
    }
    return undefined;
  }

  /** The first of each priority, the most urgent first. */
  #firstsOf(group: string): Entry[] {
    return this.#byPriority.flatMap((groups) => {
      const entry = groups.get(group)?.first;
      return entry ? [entry] : [];
    });
  }

  #oldestOf(group: string): Entry {
    const since = ([, waiting]: Entry) => waiting.since ?? 0;
    return this.#firstsOf(group).reduce((a, b) => (since(b) < since(a) ? b : a));
  }

  #remove(key: string, { priority }: Waiting, group: string): void {
    this.#all.delete(key);
    const groups = this.#groups(priority);
    const keys = groups.get(group);
    keys?.delete(key);
    if (keys?.size === 0) groups.delete(group);
    if (!this.#byPriority.some((each) => each.has(group))) this.#turns.delete(group);
  }

  #groups(priority: Priority): Line<string, Keys> {
    return this.#byPriority[priority] as Line<string, Keys>;
  }
}

function first(groups: Iterable<string>, may: (group: string) => boolean): string | undefined {
  for (const group of groups) if (may(group)) return group;
  return undefined;
}
