import type { Condition } from '../../src/kube/condition.js';
import type { KubeObject } from '../../src/kube/manifest.js';
import { refOf, show } from '../../src/kube/object-ref.js';

/** A status may wait for a call before it, or be given up and asked for again. */
const longestCallMilliseconds = 30_000;
/** What docs/stuck.md promises of conditions is said here once more, and not asked of the code that is judged by it. */
const own = new Set(['Ready', 'Reconciling', 'Stalled', 'Paused', 'Drifted', 'Fighting']);

/**
 * What is wrong about the times of conditions after a controller wrote a status: each moves when its condition turns, and never
 * else. `now` is in milliseconds since the epoch, or undefined where the writer's clock may have been set.
 */
export function wrongTimes(before: KubeObject, after: KubeObject, now: number | undefined): readonly string[] {
  const old = conditionsIn(before);
  return conditionsIn(after).flatMap(({ type, status, lastTransitionTime: time, observedGeneration = 0 }) => {
    const was = old.find((each) => each.type === type);
    if (!own.has(type)) return [];
    if (observedGeneration > (after.metadata.generation ?? 0)) return [`${type} is of a generation to come`];
    if (was?.status === status && was.lastTransitionTime !== time) return [`${type} is as it was, and its time moved`];
    const isTurned = was?.status !== status;
    const isAmiss = (age: number) => age < 0 || age >= longestCallMilliseconds;
    const isLate = isTurned && now !== undefined && isAmiss(now - Date.parse(time));
    return isLate ? [`${type} has turned, and its time is ${time}`] : [];
  });
}

/** What is wrong about the conditions of a custom resource at rest, by themselves. */
export function wrongConditions(cr: KubeObject): readonly string[] {
  const all = conditionsIn(cr).filter(({ type }) => own.has(type));
  const said = (type: string) => all.find((each) => each.type === type && each.status === 'True');
  const wrong: string[] = [];
  const twice = all.find(({ type }, index) => all.findIndex((each) => each.type === type) !== index);
  if (twice) wrong.push(`says ${twice.type} twice`);
  const [ready, reconciling, stalled] = [
    all.find(({ type }) => type === 'Ready'),
    said('Reconciling'),
    said('Stalled'),
  ];
  if (said('Paused')) {
    // What was true before is neither confirmed nor denied.
    if (reconciling) wrong.push('is suspended, and says that it may become ready by itself');
    return wrong.map((each) => `${show(refOf(cr))} ${each}`);
  }
  // What can be said of children alone stays while nobody can compose any.
  const isBlind = ready?.reason === 'RenderFailed';
  const isLeft = (type: string) => isBlind && (type === 'Drifted' || type === 'Fighting');
  const old = all.find(
    ({ type, observedGeneration }) => observedGeneration !== cr.metadata.generation && !isLeft(type),
  );
  if (old) wrong.push(`says ${old.type} of generation ${old.observedGeneration}, and is of ${cr.metadata.generation}`);
  if (reconciling && stalled) wrong.push('says that it may become ready by itself, and that it will not');
  if (ready?.status === 'True' && (reconciling || stalled))
    wrong.push(`is ready, and says ${(reconciling ?? stalled)?.type}`);
  const second = reconciling ?? stalled;
  if (ready?.status === 'False' && ready.reason !== 'DriftDetected') {
    if (!second) wrong.push(`is not ready (${ready.reason}), and says neither Reconciling nor Stalled`);
    else if (second.message !== ready.message)
      wrong.push(`says "${ready.message}", and as ${second.type} "${second.message}"`);
  }
  return wrong.map((each) => `${show(refOf(cr))} ${each}`);
}

function conditionsIn(cr: KubeObject): readonly Condition[] {
  return (cr as { readonly status?: { readonly conditions?: readonly Condition[] } }).status?.conditions ?? [];
}
