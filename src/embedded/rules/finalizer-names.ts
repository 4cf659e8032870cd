import type { KubeObject } from '../../kube/manifest.js';
import type { FieldProblem } from '../../schema/field-problem.js';
import type { Rules } from '../kinds/served-kind.js';
import { refuse } from './refuse.js';

const standard = ['kubernetes', 'orphan', 'foregroundDeletion'];

/** Finalizers of built-in kinds are Kubernetes' own, or have a domain: `example.com/cleanup`. */
function finalizerNameProblems({ metadata: { finalizers } }: KubeObject): readonly FieldProblem[] {
  return (finalizers ?? []).flatMap((name, index) =>
    name.includes('/') || standard.includes(name)
      ? []
      : [
          refuse.invalid(
            `metadata.finalizers[${index}]`,
            name,
            'name is neither a standard finalizer name nor is it fully qualified',
          ),
        ],
  );
}

/** The rules of a kind, with that of its finalizers before its own. */
export function judgingFinalizers(rules: Rules): Rules {
  const { validate, validateUpdate, validateStatusUpdate } = rules;
  return {
    ...rules,
    validate: (object, world, ofMetadata) => [
      ...finalizerNameProblems(object),
      ...(validate?.(object, world, ofMetadata) ?? []),
    ],
    ...(validateUpdate && {
      validateUpdate: (object, old, world) => [...finalizerNameProblems(object), ...validateUpdate(object, old, world)],
    }),
    ...(validateStatusUpdate && {
      validateStatusUpdate: (object, old) => [...finalizerNameProblems(object), ...validateStatusUpdate(object, old)],
    }),
  };
}
