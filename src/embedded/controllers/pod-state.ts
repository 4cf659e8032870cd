import type { PodObject } from '../../../imports/k8s.js';
import type { Live } from './built-in.js';

export type Pod = Live<PodObject>;

export function isTerminating({ metadata }: { readonly metadata: { readonly deletionTimestamp?: string } }): boolean {
  return metadata.deletionTimestamp !== undefined;
}

export function isFinished({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

/** Neither finished nor on its way out. */
export function isActive(pod: Pod): boolean {
  return !isFinished(pod) && !isTerminating(pod);
}

export function isReady(pod: Pod): boolean {
  return readyCondition(pod)?.status === 'True';
}

export function readyCondition({ status }: Pod) {
  return status?.conditions?.find(({ type }) => type === 'Ready');
}

/** After how many milliseconds a ready Pod counts as available: 0 when it does, undefined when it is not ready. */
export function untilAvailable(pod: Pod, minReadySeconds: number | undefined, now: number): number | undefined {
  const ready = readyCondition(pod);
  if (ready?.status !== 'True') return undefined;
  if (!minReadySeconds) return 0;
  // A Pod without a time of transition is taken not to have been ready long enough.
  if (ready.lastTransitionTime === undefined) return minReadySeconds * 1000;
  return Math.max(0, Date.parse(ready.lastTransitionTime) + minReadySeconds * 1000 - now);
}

export function isAvailable(pod: Pod, minReadySeconds: number | undefined, now: number): boolean {
  return untilAvailable(pod, minReadySeconds, now) === 0;
}

export function restartsOf({ status }: Pod): number {
  return Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount }) => restartCount));
}
