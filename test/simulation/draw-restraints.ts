import { VirtualClock } from '../../src/testing/virtual-clock.js';
import { type Dice, rounded } from './dice.js';
import { restraint } from './restraints.js';
import type { FaultStep, Named, WorkloadStep } from './schedule.js';

/** When a history begins. */
const epoch = new VirtualClock().now();

/**
 * Somebody suspends custom resources for a while, or has what becomes of their children only reported, or ignored. It ends each
 * time, by hand or of its own accord: what one is left with for ever depends on when it began.
 */
export function drawRestraints(dice: Dice, objects: readonly Named[], span: number): readonly WorkloadStep[] {
  // Annotations have the group of the kind, and that of others is another one.
  const own = objects.filter(({ kind }) => kind !== 'Memcached');
  if (own.length === 0) return [];
  return Array.from({ length: dice.whole(2, 5) }, () => {
    const object = dice.one(own);
    const at = rounded(dice.whole(0, span * 1000) / 1000);
    const end = rounded(at + 0.5 + dice.seconds(40));
    const annotate = (when: number, annotations: Readonly<Record<string, string | null>>): WorkloadStep => ({
      at: when,
      do: 'patch',
      object,
      body: { metadata: { annotations } },
    });
    const how = dice.weighted({ suspended: 4, report: 3, ignore: 2 });
    if (how === 'suspended') {
      return [annotate(at, { [restraint.suspension]: how }), annotate(end, { [restraint.suspension]: null })];
    }
    const ends = dice.weighted({ lifted: 3, expires: 3 });
    const until = ends === 'lifted' ? null : new Date(epoch + Math.round(end * 1000)).toISOString();
    return [
      annotate(at, { [restraint.mode]: how, [restraint.end]: until }),
      ...(ends === 'lifted' ? [annotate(end, { [restraint.mode]: null, [restraint.end]: null })] : []),
    ];
  }).flat();
}

/**
 * Whether what somebody does leads to one state even where nobody puts it back for a while: of what has lost its owner nobody can
 * tell later whose it was.
 */
export function isBearable(step: WorkloadStep): boolean {
  const { metadata } = ('body' in step ? step.body : {}) as {
    readonly metadata?: { readonly ownerReferences?: unknown };
  };
  return step.do !== 'patch' || metadata?.ownerReferences === undefined;
}

/** Whether a mode ends soon all the same. */
export function isOfMinutes(fault: FaultStep): boolean {
  return fault.fault !== 'wall' || Math.abs(fault.seconds) < 60;
}
