import { createHash } from 'node:crypto';
import type { Composition } from '../../compose/composition.js';
import type { Inputs } from '../../compose/reads.js';
import { type Damping, delayAfter, truceAfter } from '../../drift/damping.js';
import { hashOf, otherPlace } from '../../drift/hash.js';
import { entriesOf } from '../../drift/ownership.js';
import type { Step } from '../../drift/plan.js';
import type { KubeObject, ManagedFieldsEntry, Manifest } from '../../kube/manifest.js';
import { keyOf, refOf, show } from '../../kube/object-ref.js';
import type { Unmet } from '../status/status.js';
import type { Executed } from '../writes/execute.js';
import type { Occasion } from './occasions.js';

/** What was composed last for a custom resource, when its children were changed by it. */
interface Marks {
  /** Of all that compose was given and that we have not written ourselves. */
  readonly mark: string;
  /** The same, without what is of objects that we wrote, whoever else wrote there. */
  readonly apart: string;
}

/** Of an object its uid, and its version or what others have written there. */
type Sight = readonly [uid: string, seen: string | readonly ManagedFieldsEntry[]];

interface Composed extends Marks {
  /** These stand in the place of others. */
  readonly isRenamed: boolean;
  /** The keys of the children. */
  readonly names: readonly string[];
  readonly hash: string;
  /** How often in a row it was something else, for the same mark. */
  readonly rounds: number;
  /** When, by the clock that no one sets. */
  readonly at: number;
  /** Of what was something else once; of all others it would take too much memory. */
  readonly composition?: Composition;
  /** Where the last two differ. */
  readonly place?: string;
}

/** Who goes step by step by what it has written itself gets so far at once. */
const damping: Damping = {
  roundsOfFight: 10,
  firstDelay: 15_000,
  longestDelay: 60 * 60_000,
  patience: 5 * 60_000,
};
/** Who gives other names in the place of those that there were, sooner than anything that is made comes to be of use, answers to his own. */
const soonMilliseconds = 10_000;

/**
 * Whose compose gives something else each time for the same: by chance or a clock, or because it counts on what it has
 * written itself. Each of our writes would be a reason for the next, as fast as the API server answers.
 *
 * Where names are others each time, each child is new, and what its own controller writes there is new, too: of these nothing
 * says that it was the reason.
 *
 * When it is no accident any more, what was composed last is kept to: for 15 s, then twice as long each time, up to an hour.
 *
 * It is in memory alone, and there no longer than it may matter.
 */
export class UnsteadyCode {
  /** By the key of the custom resource; the oldest first. */
  readonly #last = new Map<string, Composed>();

  constructor(private readonly manager: string) {}

  /** What is to be kept to, where it is too early to compose anew. */
  kept(occasion: Occasion, now: number): Composition | undefined {
    const last = this.#unsteady(occasion, now);
    return last && now < heldUntil(last) ? last.composition : undefined;
  }

  /** `steps`, which follow from `composition`, were carried out. */
  carriedOut(
    occasion: Occasion,
    composition: Composition,
    steps: readonly Step[],
    executed: readonly Executed[],
    now: number,
  ): void {
    this.#forgetOld(now);
    // Of one whose children were not there yet there is nothing to compare.
    const isFirst = steps.every((step) => !('observed' in step));
    if (isFirst || !steps.some((step, index) => executed[index]?.object && isChange(step))) return;
    const { key } = occasion;
    const { mark, apart } = this.#marksOf(occasion);
    const hash = hashOf({ children: composition.children } as unknown as Manifest);
    const names = composition.children.map((child) => keyOf(refOf(child)));
    const last = this.#last.get(key);
    if (last?.hash === hash && (last.mark === mark || (last.isRenamed && last.apart === apart))) return;
    const isRenamed = last?.apart === apart && last.names.some((name) => !names.includes(name));
    const isSoon = last && (isUnsteady(last) || now < last.at + soonMilliseconds);
    const goesOn = last && now < overAt(last) && (last.mark === mark || (isRenamed && isSoon));
    const rounds = goesOn ? last.rounds + 1 : 0;
    const place = goesOn && last.composition ? differenceOf(last.composition, composition) : undefined;
    // To the end, so that the oldest stay first.
    this.#last.delete(key);
    this.#last.set(key, {
      mark,
      apart,
      names,
      hash,
      rounds,
      at: now,
      isRenamed,
      ...(rounds > 0 ? { composition } : {}),
      ...(place === undefined ? {} : { place }),
    });
  }

  /** What is to be said of it, while it goes on. */
  unmet(occasion: Occasion, now: number): Unmet | undefined {
    const last = this.#unsteady(occasion, now);
    if (!last) return undefined;
    const where = last.place === undefined ? '' : `, last in ${last.place}`;
    const what = 'compose gives something else each time, though nothing has changed of what it is given';
    const hint =
      'let it follow from the spec and from what others write alone, and neither from chance nor from a clock';
    return { reason: 'RenderUnsteady', message: `${what}${where}; ${hint}`, isStalled: true };
  }

  /** When it is to be composed anew, or to be said that it is over. */
  nextLook(key: string, now: number): number | undefined {
    const last = this.#last.get(key);
    if (!last || !isUnsteady(last)) return undefined;
    return [heldUntil(last), overAt(last)].find((moment) => moment > now);
  }

  forget(key: string): void {
    this.#last.delete(key);
  }

  #unsteady(occasion: Occasion, now: number): Composed | undefined {
    const last = this.#last.get(occasion.key);
    if (!last || !isUnsteady(last) || now >= overAt(last)) return undefined;
    const { mark, apart } = this.#marksOf(occasion);
    return last.mark === mark || (last.isRenamed && last.apart === apart) ? last : undefined;
  }

  #marksOf({ cr, inputs }: Occasion): Marks {
    const { uid, generation, labels, annotations } = cr.metadata;
    const markOf = (sights: readonly Sight[]) =>
      createHash('sha256')
        .update(JSON.stringify([uid, generation, labels, annotations, sights]))
        .digest('base64');
    const sights = this.#sightsOf(inputs);
    const foreign = sights.filter(([, seen]) => typeof seen === 'string');
    const mark = markOf(sights);
    return { mark, apart: foreign.length === sights.length ? mark : markOf(foreign) };
  }

  /** The versions of the inputs, and of what we have written ourselves only what others have written there. */
  #sightsOf(inputs: Inputs): readonly Sight[] {
    return Object.values(inputs)
      .flat()
      .flatMap((object?: KubeObject): Sight[] => {
        if (!object) return [];
        const { uid, resourceVersion } = object.metadata;
        const entries = entriesOf(object);
        const others = entries.filter(({ manager }) => manager !== this.manager);
        if (others.length === entries.length) return [[uid, resourceVersion]];
        return others.length === 0 ? [] : [[uid, others]];
      });
  }

  /** One that is unsteady may keep others a little longer. */
  #forgetOld(now: number): void {
    for (const [key, last] of this.#last) {
      if (now < overAt(last)) return;
      this.#last.delete(key);
    }
  }
}

/** No drift that is put back: something else is desired. */
function isChange(step: Step): boolean {
  return step.type === 'create' || (step.type === 'apply' && step.drift.length === 0);
}

function differenceOf(before: Composition, after: Composition): string | undefined {
  const known = new Map(before.children.map((child) => [keyOf(refOf(child)), child]));
  for (const child of after.children) {
    const same = known.get(keyOf(refOf(child)));
    // Another name each time would be another message each time.
    if (!same) return `${child.kind} metadata.name`;
    const place = otherPlace(same, child);
    if (place !== undefined) return `${show(refOf(child))} ${place}`;
  }
  return undefined;
}

function isUnsteady({ rounds }: Composed): boolean {
  return rounds >= damping.roundsOfFight;
}

function heldUntil({ at, rounds }: Composed): number {
  return at + delayAfter(rounds, damping);
}

function overAt({ at, rounds }: Composed): number {
  return at + truceAfter(rounds, damping);
}
