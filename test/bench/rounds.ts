import type { Random } from '../../src/kube/clock.js';
import type { BenchPlane } from './bench-plane.js';
import type { Contender } from './contender.js';
import { type Leg, runLeg, type Size } from './race.js';

/**
 * Who goes when in each round, by name. Each is drawn anew: were they turns of one circle, everybody would come after the
 * same one in nearly all rounds, and find what that one leaves behind. Those in `once` race in the first round only.
 */
export function drawOrders(
  names: readonly string[],
  rounds: number,
  once: readonly string[],
  random: Random,
): string[][] {
  const always = names.filter((name) => !once.includes(name));
  return Array.from({ length: rounds }, (_, round) => shuffled(round === 0 ? names : always, random));
}

function shuffled(names: readonly string[], random: Random): string[] {
  return names
    .map((name) => [random(), name] as const)
    .sort(([a], [b]) => a - b)
    .map(([, name]) => name);
}

/** Everybody once a round, in these orders; the legs of a round are as `contenders` are. */
export async function runRounds(
  bench: BenchPlane,
  contenders: readonly Contender[],
  {
    orders,
    size,
    folder,
  }: { readonly orders: readonly (readonly string[])[]; readonly size: Size; readonly folder: string },
  progress: (line: string) => void,
): Promise<Leg[][]> {
  const warmer = contenders.find(({ createsOnly }) => createsOnly);
  if (warmer) {
    progress(`before the first round: ${warmer.name}`);
    await runLeg(bench, warmer, size, folder);
  }
  const done: Leg[][] = [];
  for (const [round, order] of orders.entries()) {
    const legs = new Map<string, Leg>();
    for (const name of order) {
      progress(`round ${round + 1} of ${orders.length}: ${name}`);
      const leg = await runLeg(bench, contenders.find((each) => each.name === name)!, size, folder);
      if (leg.endedEarly !== undefined) progress(`${name} did not end: ${leg.endedEarly}`);
      legs.set(name, leg);
    }
    done.push(contenders.flatMap(({ name }) => legs.get(name) ?? []));
  }
  return done;
}
