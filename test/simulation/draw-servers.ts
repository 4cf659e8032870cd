import { type Dice, rounded } from './dice.js';
import type { Deafness, FaultStep } from './schedule.js';

/** There are two API servers for a while, of which one hears nothing from etcd, or hears it late. */
export function drawServerFaults(dice: Dice, span: number, replicas: 1 | 2): readonly FaultStep[] {
  const draw = (to: 0 | 1): FaultStep => {
    const at = rounded(dice.whole(0, span * 1000) / 1000);
    const long = dice.percent(50) ? dice.whole(60, 300) : dice.seconds(30);
    const base = { at, to, for: Math.max(0.1, long), seed: dice.whole(1, 1e6) };
    const chances = { open: dice.one([100, 100, 50]), later: dice.one([0, 50, 50, 90]) };
    if (dice.percent(30)) return { ...base, ...chances, fault: 'behind', seconds: dice.one([0.5, 2, 5, 20]) };
    return { ...base, ...chances, fault: 'cut-off', code: dice.one([500, 504]), after: dice.one([0, 0, 2, 40]) };
  };
  const some = Array.from({ length: dice.whole(1, 2) }, () => draw(replicas === 2 && dice.percent(40) ? 1 : 0));
  // What only shows to whoever begins a watch meanwhile.
  const breaks = some.filter(() => dice.percent(40)).map(({ at, to }) => ({ at: at + dice.seconds(5), to }));
  const kinds = ['Site', 'Report', 'Fleet', 'ConfigMap', 'Secret', 'Service', 'Lease'];
  return [...some, ...breaks.map((each) => ({ ...each, fault: 'break', kind: dice.one(kinds) }) as const)];
}

/** There are two API servers for a while, of which one hangs. */
export function drawHangs(dice: Dice, span: number, replicas: 1 | 2): readonly FaultStep[] {
  const draw = (to: 0 | 1): FaultStep => ({
    at: rounded(dice.whole(0, span * 1000) / 1000),
    to,
    for: dice.percent(50) ? dice.whole(20, 200) : Math.max(0.1, dice.seconds(30)),
    seed: dice.whole(1, 1e6),
    open: dice.one([100, 50, 50, 0]),
    later: dice.one([0, 50, 50, 90]),
    fault: 'hang',
    late: dice.one([0, 30, 100]),
  });
  return Array.from({ length: dice.whole(1, 3) }, () => draw(replicas === 2 && dice.percent(40) ? 1 : 0));
}

/** And one of them when all the rest is over. */
export function drawDeafness(dice: Dice): Deafness {
  return { seed: dice.whole(1, 1e6), open: dice.one([100, 50]), later: dice.one([0, 50]) };
}
