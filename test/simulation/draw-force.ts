import { type Dice, rounded } from './dice.js';
import { namespaces } from './draw-workload.js';
import { acceptFrom, forceRelease, haltNameOf, stopNameOf } from './far.js';
import type { Named, WorkloadStep } from './schedule.js';

const keeper = 'foreign.example.com/keep';

/**
 * A person deletes a Tour at the end, and has it let go by force, before or after; for some of what is far of it cannot go. What it
 * leaves behind is in nobody's way, since none of its name comes again.
 */
export function drawForcedTour(dice: Dice, steps: readonly WorkloadStep[]): readonly WorkloadStep[] {
  const tours = steps.flatMap((step) => (step.do === 'apply' && step.object.kind === 'Tour' ? [step] : []));
  const last = dice.one(tours);
  const { object, body } = last;
  const { to, also } = body['spec'] as { readonly to?: string; readonly also?: string };
  const home = object.namespace ?? '';
  const held: Named[] = [
    ...(to === undefined ? [] : [{ kind: 'ConfigMap', namespace: to, name: stopNameOf(home, object.name) }]),
    ...(also === undefined ? [] : [{ kind: 'ConfigMap', namespace: also, name: haltNameOf(home, object.name) }]),
  ];
  const at = rounded(Math.max(...steps.map((step) => step.at)) + dice.one([0.5, 5]));
  const everybody = { metadata: { annotations: { [acceptFrom]: namespaces.join() } } };
  const finalizers = { metadata: { finalizers: [keeper] } };
  return [
    ...namespaces.map((name) => ({ at, do: 'patch', object: { kind: 'Namespace', name }, body: everybody }) as const),
    { at, do: 'apply', object, body },
    ...held
      .filter(() => dice.percent(60))
      .map((each) => ({ at: rounded(at + 2), do: 'patch', object: each, body: finalizers }) as const),
    ...drawForced(dice, object, rounded(at + 2)),
  ];
}

/** The same of a custom resource that has something else beyond its reach. */
export function drawForced(dice: Dice, object: Named, at: number): readonly WorkloadStep[] {
  const say = (word: string, when: number): WorkloadStep => ({
    at: rounded(at + when),
    do: 'patch',
    object,
    body: { metadata: { annotations: { [forceRelease]: word } } },
  });
  const gone = { at: rounded(at + 1), do: 'delete', object } as const;
  // A word that does not count is written first by some, and by some alone.
  const others = dice.percent(60) ? [say(dice.one(['false', 'yes', 'True']), dice.one([0.5, 2]))] : [];
  if (others.length > 0 && dice.percent(50)) return [...others, gone];
  return [...others, gone, say('true', dice.one(others.length > 0 ? [3, 10] : [0.7, 1, 2, 10]))];
}
