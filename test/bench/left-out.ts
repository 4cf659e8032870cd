import { rival } from './marks.js';
import type { Results } from './results.js';

/** Those in whose absence a race says little. */
const expected = [rival, 'kube-rs', 'client-node'];

/** Those of them that have no numbers, be it that they were left out or that they failed each time. */
export function absentPeers({ rounds }: Pick<Results, 'rounds'>): string[] {
  const created = new Set(rounds.flat().flatMap(({ contender, creation }) => (creation ? [contender] : [])));
  return expected.filter((name) => !created.has(name));
}
