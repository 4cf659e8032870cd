import { type Dice, rounded } from './dice.js';
import { namespaces } from './draw-workload.js';
import type { WorkloadStep } from './schedule.js';

/**
 * The definition of Sites takes less for a while, so that those that a Fleet makes are refused, or what is said in the status of
 * any; mostly somebody edits just then what follows from that.
 */
export function drawRedefinitions(dice: Dice, span: number): readonly WorkloadStep[] {
  const steps: WorkloadStep[] = [];
  let at = rounded(dice.whole(0, span * 600) / 1000);
  for (let left = dice.whole(1, 2); left > 0; left--) {
    const taken = dice.one(['short specs', 'short statuses'] as const);
    const end = rounded(at + 0.2 + dice.seconds(40));
    steps.push({ at, do: 'redefine', taken }, { at: end, do: 'redefine', taken: 'all' });
    if (dice.percent(70)) {
      const namespace = dice.one(namespaces);
      const fleet = { kind: 'Fleet', namespace, name: 'f' };
      const site = { kind: 'Site', namespace, name: 'a' };
      const when = rounded(at + dice.one([0, 0.1, (end - at) / 2, end - at]));
      steps.push(
        taken === 'short specs'
          ? { at: when, do: 'apply', object: fleet, body: { spec: { count: dice.whole(1, 3), value: 'three' } } }
          : { at: when, do: 'apply', object: site, body: { spec: { value: dice.one(['two', 'three']) } } },
      );
    }
    // Whose watch ends thrice in a few seconds waits longer each time.
    at = rounded(end + 10 + dice.seconds(30));
  }
  return steps;
}
