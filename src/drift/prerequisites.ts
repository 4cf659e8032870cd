import type { KubeObject } from '../kube/manifest.js';
import { keyOf, type ObjectRef, show } from '../kube/object-ref.js';
import { conditionOf, readinessOf } from './readiness.js';

/** What is known of a child while a plan is carried out. */
export interface Known {
  readonly object: KubeObject | undefined;
  /** Its own step failed, or waits: what is seen of it is not what is desired. */
  readonly isBehind: boolean;
  /** Objects of its kind always come to say whether they are ready; until then it is not. */
  readonly speaks: boolean;
}

/** For what a child has to wait, in words for people, or undefined when all that it needs is ready. */
export function waitsFor(needs: readonly ObjectRef[], known: (ref: ObjectRef) => Known): string | undefined {
  for (const ref of needs) {
    const { object, isBehind, speaks } = known(ref);
    if (!object) return `${show(ref)} is not there`;
    if (isBehind) return `${show(ref)} is not as it is to be`;
    const readiness = readinessOf(object);
    if (!readiness.ready) return readiness.message;
    if (speaks && conditionOf(object, 'Ready') === undefined) return `${show(ref)} does not say yet that it is ready`;
  }
  return undefined;
}

/** What `child` needs, of a composition's `needs`. */
export function needsOf(
  child: ObjectRef,
  needs: ReadonlyMap<string, readonly ObjectRef[]> | undefined,
): readonly ObjectRef[] {
  return needs?.get(keyOf(child)) ?? [];
}
