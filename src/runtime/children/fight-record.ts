import { type Fight, heldUntil, isFight, nextRound, overAt, quarrels } from '../../drift/fights.js';
import { appliedHash } from '../../drift/hash.js';
import { refOfStep, type Step } from '../../drift/plan.js';
import { keyOf, type ObjectRef } from '../../kube/object-ref.js';
import { ByChild } from './by-child.js';

/** A fight over a child. */
export interface ChildsFight {
  readonly ref: ObjectRef;
  readonly fight: Fight;
}

interface Child {
  readonly ref: ObjectRef;
  readonly uid: string;
  /** By what they are over. */
  readonly fights: Map<string, Fight>;
}

type Correction = Extract<Step, { type: 'apply' }>;

/**
 * Who keeps changing back which children, so that these are put back less and less often, and no other is held up.
 *
 * It is in memory alone: after a restart a fight is recognised anew, and nobody takes a restart for a rival.
 */
export class FightRecord {
  readonly #children = new ByChild<Child>();

  /** The steps, without those corrections for which it is too early. Nothing is dropped: `nextLook` says when it is time. */
  damped(owner: string, steps: readonly Step[], now: number): Step[] {
    this.#endOld(owner, steps, now);
    return steps.map((step) => {
      if (step.type !== 'apply' || step.drift.length === 0) return step;
      const fights = this.#of(owner, step)?.fights;
      const isHeld = quarrels(step.drift).every(({ over }) => {
        const fight = fights?.get(over);
        return fight !== undefined && fight.desired === desiredOf(step) && now < heldUntil(fight);
      });
      return isHeld ? { type: 'hold', ref: refOfStep(step), reported: [...step.drift, ...step.reported] } : step;
    });
  }

  /** These steps were carried out. Returns the fights that were recognised by it. */
  carriedOut(owner: string, steps: readonly Step[], now: number): ChildsFight[] {
    return steps.flatMap((step) =>
      step.type === 'apply' && step.drift.length > 0 ? this.#corrected(owner, step, now) : [],
    );
  }

  /** The fights that go on. */
  of(owner: string): ChildsFight[] {
    return this.#children
      .of(owner)
      .flatMap(({ ref, fights }) => [...fights.values()].filter(isFight).map((fight) => ({ ref, fight })));
  }

  /** When something is to be done about a fight: the next correction, or to say that it is over. */
  nextLook(owner: string, now: number): number | undefined {
    const moments = this.of(owner).flatMap(({ fight }) => [heldUntil(fight), overAt(fight)]);
    const later = moments.filter((moment) => moment > now);
    return later.length === 0 ? undefined : Math.min(...later);
  }

  forget(owner: string): void {
    this.#children.forget(owner);
  }

  #corrected(owner: string, step: Correction, now: number): ChildsFight[] {
    const child = this.#of(owner, step) ?? { ref: refOfStep(step), uid: step.observed.metadata.uid, fights: new Map() };
    const begun = quarrels(step.drift).flatMap((quarrel) => {
      const before = child.fights.get(quarrel.over);
      const fight = nextRound(before, { ...quarrel, desired: desiredOf(step) }, now);
      child.fights.set(quarrel.over, fight);
      return isFight(fight) && !(before && isFight(before)) ? [{ ref: child.ref, fight }] : [];
    });
    this.#children.set(owner, child.ref, child);
    return begun;
  }

  #of(owner: string, step: Correction): Child | undefined {
    const child = this.#children.get(owner, refOfStep(step));
    return child?.uid === step.observed.metadata.uid ? child : undefined;
  }

  /** Ends fights whose rival stopped, of which something else is desired by now, and of children that are gone. */
  #endOld(owner: string, steps: readonly Step[], now: number): void {
    const children = this.#children.of(owner);
    if (children.length === 0) return;
    const current = new Map(steps.map((step) => [keyOf(refOfStep(step)), step]));
    for (const child of children) {
      const step = current.get(keyOf(child.ref));
      const observed = step && 'observed' in step ? step.observed : undefined;
      for (const [over, fight] of child.fights) {
        const isSame = observed?.metadata.uid === child.uid && (!step || fight.desired === desiredOf(step));
        const goesOn = step?.type === 'apply' && quarrels(step.drift).some((quarrel) => quarrel.over === over);
        if (!isSame || (now >= overAt(fight) && !goesOn)) child.fights.delete(over);
      }
      if (child.fights.size === 0) this.#children.delete(owner, child.ref);
    }
  }
}

/** A mark of what is desired of the child that `step` is about. */
function desiredOf(step: Step): string {
  const annotations = 'manifest' in step ? step.manifest.metadata.annotations : undefined;
  return annotations?.[appliedHash] ?? '';
}
