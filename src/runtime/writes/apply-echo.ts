import { entriesOf } from '../../drift/ownership.js';
import type { Step } from '../../drift/plan.js';
import type { FieldsV1, KubeObject, ManagedFieldsEntry } from '../../kube/manifest.js';

/** True when nobody else's change can be hidden in the answer to a step, and the step was one write. */
export function showsOnlyOurs(step: Step, answer: KubeObject, manager: string): boolean {
  if (step.type !== 'apply') return step.type === 'create';
  return !step.fold && step.claim.length === 0 && isOnlyApply(step.observed, answer, manager);
}

/**
 * True when the answer to an apply shows nothing but that: nobody changed between our look at the object, which is `before`,
 * and the apply by `manager` what a look goes by.
 *
 * By the generation, which each change of a spec raises by one; of kinds that have none nothing can be told. And by who owns
 * what: an apply takes from others, and gives them nothing. What of a status changed the answer shows, and it was read.
 */
export function isOnlyApply(before: KubeObject, after: KubeObject, manager: string): boolean {
  const generation = before.metadata.generation;
  return (
    before.metadata.uid === after.metadata.uid &&
    generation !== undefined &&
    after.metadata.generation === generation + 1 &&
    after.metadata.deletionTimestamp === undefined &&
    entriesOf(after)
      .filter((entry) => entry.manager !== manager && !entry.subresource)
      .every((entry) => {
        const known = entriesOf(before).find((each) => isSameWriter(each, entry));
        return known !== undefined && isWithin(entry.fieldsV1 ?? {}, known.fieldsV1 ?? {});
      })
  );
}

function isSameWriter(a: ManagedFieldsEntry, b: ManagedFieldsEntry): boolean {
  return a.manager === b.manager && a.operation === b.operation && a.apiVersion === b.apiVersion && !a.subresource;
}

/** True when each field of `fields` is in `all`. */
function isWithin(fields: FieldsV1, all: FieldsV1): boolean {
  return Object.entries(fields).every(([segment, below]) => {
    const there = Object.hasOwn(all, segment) ? all[segment] : undefined;
    return there !== undefined && isWithin(below, there);
  });
}
