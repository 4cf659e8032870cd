import type { Call } from '../../src/testing/call.js';
import type { CutOff } from '../../src/testing/unwell-server.js';
import { Dice } from './dice.js';
import type { Chances } from './schedule.js';

/** Of the calls that were given up while a server hung, some are carried out even so when it goes on. */
export function lateByChance({ seed, late }: { readonly seed: number; readonly late: number }): () => boolean {
  const dice = new Dice(seed + 1);
  return () => dice.percent(late);
}

/** Connections lead to the server that is not well by chance. `told` hears of each watch where it leads. */
export function byChance(
  { seed, open, later, isOnce = false }: Chances,
  told: (watch: Call, isUnwell: boolean) => void,
): { readonly how: CutOff; begun(): void } {
  const dice = new Dice(seed);
  const misled = new Set<string>();
  let hasBegun = false;
  return {
    how: {
      leads(call) {
        const key = call.verb === 'watch' ? call.kind : '';
        const isUnwell = dice.percent(hasBegun ? later : open) && !(isOnce && misled.has(key));
        if (isUnwell && hasBegun) misled.add(key);
        if (call.verb === 'watch') told(call, isUnwell);
        return isUnwell;
      },
    },
    begun() {
      hasBegun = true;
    },
  };
}
