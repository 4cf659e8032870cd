import { type Dice, rounded } from './dice.js';
import type { Edition, WorkloadStep } from './schedule.js';

/**
 * The operators are replaced by another version of them, one replica after the other, so that for a while both are there; in
 * some histories back again, and once more.
 */
export function drawUpgrades(dice: Dice, span: number): readonly WorkloadStep[] {
  const steps: WorkloadStep[] = [];
  const turns = dice.weighted({ '1': 5, '2': 4, '3': 1 });
  let at = rounded(dice.whole(0, span * 600) / 1000);
  for (let turn = 1; turn <= Number(turns); turn++) {
    const edition: Edition = turn % 2 === 1 ? 'second' : 'first';
    const how = () => (dice.percent(70) ? 'stop' : 'kill');
    const order: readonly (0 | 1)[] = dice.percent(50) ? [0, 1] : [1, 0];
    steps.push({ at, do: 'upgrade', to: order[0] as 0 | 1, edition, how: how() });
    at = rounded(at + dice.seconds(30));
    // Some change their minds before the second one has its turn.
    if (turn < Number(turns) && dice.percent(30)) continue;
    steps.push({ at, do: 'upgrade', to: order[1] as 0 | 1, edition, how: how() });
    at = rounded(at + dice.seconds(30));
  }
  return steps;
}

/** Etcd goes back to what it had some time ago, seconds or more, once. */
export function drawRestore(dice: Dice, span: number): readonly WorkloadStep[] {
  const at = rounded(dice.whole(0, span * 800) / 1000);
  return [
    { at, do: 'backup' },
    { at: rounded(at + 0.5 + dice.seconds(60)), do: 'restore' },
  ];
}
