import type { FieldsV1, KubeObject, Manifest } from '../kube/manifest.js';
import { owns } from './ownership.js';
import { coverageOf, type UncoveredField } from './uncovered.js';

/**
 * The fields of `desired` within `fields` of which `observed` shows another value: for people, where somebody wrote under
 * our own name and ownership cannot tell. A quantity in another spelling is shown, too.
 */
export function changedFields(desired: Manifest, observed: KubeObject, fields: FieldsV1): readonly UncoveredField[] {
  // To nobody everything is uncovered: that is each leaf, with both values, and who of `fields` has it.
  const { lost, open } = coverageOf(desired, observed, [], [fields]);
  return [...lost, ...open].filter(
    (field) => JSON.stringify(field.desired) !== JSON.stringify(field.observed) && owns(fields, field.trail),
  );
}
