import type { Call } from '../../src/testing/call.js';
import { Dice } from './dice.js';
import { change, childrenOf, editOf, inputOf, isFoughtOver, readyOnes, unreadyOnes } from './promptness.js';
import type { Schedule } from './schedule.js';
import { untruths } from './truth.js';
import type { World } from './world.js';

/**
 * A watch that shows nothing of what its own controller wrote is made anew after ten seconds, counted from the last that it showed, as the
 * version that its server had got to; and then all follows that is to follow.
 */
const ownSeconds = 22;
/** By docs/decisions/0068: after so long a change of somebody else's is seen where the next watch leads to a server that is well. */
const othersSeconds = 215;
/** And after so long where that leads there once more: what comes then begins with a list, of which a server that is not well has none. */
const unluckySeconds = 420;
/** Where nobody tells of anything later, it is seen when the watch ends, or the one after it. */
const untoldSeconds = { lucky: 700, unlucky: 1300 };
/** What is written after a first edit is to be shown before a second one is carried out. */
const betweenSeconds = 2;

/**
 * A cluster at rest, of whose two API servers one hears nothing from etcd from now on, is changed. Returns what did not follow in the
 * time that is promised.
 */
export async function surpriseTheDeaf(
  world: World,
  { deafness, restartSeconds, replicas }: Schedule,
): Promise<readonly string[]> {
  if (!deafness) return [];
  const dice = new Dice(deafness.seed);
  const late: string[] = [];
  const before = readyOnes(world);
  const custom = new Set(world.operators.map(({ resource }) => resource.kind));
  const follows = async (seconds: number, what: string) => {
    await world.advanceTo(world.clock.monotonic() / 1000 + seconds, restartSeconds);
    if (isFoughtOver(world)) return;
    const wrong = [...untruths(world), ...unreadyOnes(world, before)];
    late.push(...wrong.map((each) => `${seconds} s after ${what}, ${each}`));
  };
  const heals = async (heal: readonly (() => void)[]) => {
    for (const each of heal) each();
    await world.advanceTo(world.clock.monotonic() / 1000 + 5, restartSeconds);
  };

  const isChilds = ({ verb, kind }: Call) => verb === 'watch' && !custom.has(kind) && kind !== 'Lease';
  const some = world.replicas.map(({ faults }) => {
    let isOpen = true;
    const heal = faults.cutOffServer({ leads: (call) => isOpen && isChilds(call) });
    isOpen = false;
    return heal;
  });
  await editOf(world, 'deaf');
  await world.advanceTo(world.clock.monotonic() / 1000 + betweenSeconds, restartSeconds);
  await editOf(world, 'deafer');
  await follows(ownSeconds, 'a write that no watch shows');
  await heals(some);

  const step = { ...deafness, isOnce: true, fault: 'cut-off', code: 504, after: 0 } as const;
  const led: boolean[] = [];
  const all = world.replicas.map((_, to) => world.sicken(to, step, (isUnwell) => led.push(isUnwell)));
  // By the Lease, or by a watch on the server that is well.
  const isTold = replicas === 2 || led.includes(false);
  for (const child of childrenOf(world)) {
    if (dice.percent(50)) await change(world, child, dice.weighted({ value: 4, delete: 3, labels: 2 }), 'deaf');
  }
  await inputOf(world, dice);
  await editOf(world, 'deafest');
  const isLucky = deafness.later === 0;
  const told = isLucky ? othersSeconds : unluckySeconds;
  const untold = isLucky ? untoldSeconds.lucky : untoldSeconds.unlucky;
  await follows(isTold ? told : untold, 'a change on a server that is cut off');
  await heals(all);
  return late;
}
