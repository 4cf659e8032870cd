import { canonical } from '../../kube/canonical-json.js';
import type { Json } from '../../kube/manifest.js';

/** Without vowels and look-alikes, so that no hash spells a word. */
const letters = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * A short name for what a template says, as it stands in `pod-template-hash` and in the names of revisions. Equal
 * templates have equal hashes. They are of the same make as the real controllers', not the same values: those hash the
 * text of Go structures.
 */
export function templateHash(template: unknown, collisions = 0): string {
  let hash = 0x811c9dc5;
  const add = (byte: number) => {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  };
  for (const byte of new TextEncoder().encode(canonical(template as Json))) add(byte);
  for (const digit of collisions === 0 ? '' : String(collisions)) add(digit.charCodeAt(0));
  return [...String(hash)].map((digit) => letters[digit.charCodeAt(0) % letters.length]).join('');
}
