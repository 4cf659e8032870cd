import type { Call } from '../../src/testing/call.js';
import type { CutOff } from '../../src/testing/unwell-server.js';
import { Dice } from './dice.js';
import type { Chances } from './schedule.js';

/** Connections lead to the server that is not well by chance. `told` hears of each watch where it leads. */
export function byChance(
  { seed, open, later }: Chances,
  told: (watch: Call, isUnwell: boolean) => void,
): { readonly how: CutOff; begun(): void } {
  const dice = new Dice(seed);
  let chance = open;
  return {
    how: {
      leads(call) {
        // What is open has its watches there, and its calls only by the next connection.
        const isUnwell = dice.percent(chance);
        if (call.verb === 'watch') told(call, isUnwell);
        return isUnwell;
      },
    },
    begun() {
      chance = later;
    },
  };
}
