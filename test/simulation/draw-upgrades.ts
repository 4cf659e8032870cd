import { type Dice, rounded } from './dice.js';
import type { Edition, Named, WorkloadStep } from './schedule.js';

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

/**
 * One replica after the other goes on as the second edition, which has other names. Nobody goes back to the first, which does not
 * know what it will be called; the third does. Mostly a Site has a field just then that the second does not give it, or cannot be composed by either.
 */
export function drawRenaming(dice: Dice, span: number, own: readonly Named[]): readonly WorkloadStep[] {
  const how = () => (dice.percent(70) ? 'stop' : 'kill');
  const at = rounded(dice.whole(0, span * 800) / 1000);
  const upgrades: WorkloadStep[] = [
    { at, do: 'upgrade', to: 0, edition: 'second', how: how() },
    { at: rounded(at + dice.seconds(30)), do: 'upgrade', to: 1, edition: 'second', how: how() },
  ];
  if (dice.percent(40)) {
    const back = rounded(at + dice.seconds(60));
    upgrades.push(
      { at: back, do: 'upgrade', to: 0, edition: 'third', how: how() },
      { at: rounded(back + dice.seconds(30)), do: 'upgrade', to: 1, edition: 'third', how: how() },
    );
  }
  const sites = own.filter(({ kind }) => kind === 'Site');
  if (sites.length === 0 || dice.percent(20)) return upgrades;
  const object = dice.one(sites);
  const apply = (when: number, value: string): WorkloadStep => {
    const spec = { value, suffix: 'page', port: dice.whole(80, 82), extra: 'one' };
    return { at: rounded(Math.max(0, when)), do: 'apply', object, body: { spec } };
  };
  if (dice.percent(50)) return [apply(at - dice.one([0, 0.5, 3]), 'one'), ...upgrades];
  return [apply(at - dice.one([0, 1, 3]), 'throw'), ...upgrades, apply(at + 10 + dice.seconds(30), 'one')];
}

/** Etcd goes back to what it had some time ago, seconds or more, once. */
export function drawRestore(dice: Dice, span: number): readonly WorkloadStep[] {
  const at = rounded(dice.whole(0, span * 800) / 1000);
  return [
    { at, do: 'backup' },
    { at: rounded(at + 0.5 + dice.seconds(60)), do: 'restore' },
  ];
}
