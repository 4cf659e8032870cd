import type { KubeObject, Manifest } from '../kube/manifest.js';
import type { Difference } from './difference.js';
import { valuesAt } from './value-at.js';

/** A write of a child: what it was, what we sent, and what the server made of it. */
export interface Correction {
  readonly before: KubeObject;
  readonly desired: Manifest;
  readonly after: KubeObject;
}

/**
 * Of what was to be put back, what was. Where a mutating webhook or policy gives a field its own value with each write, the
 * answer to ours shows the one of before, and nobody is to be told that it was corrected.
 */
export function correctedOf(drift: readonly Difference[], { before, desired, after }: Correction): Difference[] {
  return drift.filter(({ trail }) => {
    const [now, once, wanted] = [after, before, desired].map((each) => JSON.stringify(valuesAt(each, trail)));
    return now !== once || now === wanted;
  });
}
