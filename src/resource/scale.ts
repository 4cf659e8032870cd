import { DefinitionError } from '../kube/errors.js';
import { isMap } from '../kube/plain-map.js';
import { type FieldProblem, problem } from '../schema/field-problem.js';
import { replicasProblems } from '../schema/replicas-problems.js';
import type { StructuralSchema } from '../schema/structural.js';
import { schemaAt } from './schema-at.js';

/**
 * What `kubectl scale` and autoscalers read and write, by paths into the custom resource:
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#scale-subresource
 */
export interface Scale {
  /** `.spec.size`: how many are wanted. */
  readonly replicas: string;
  /** `.status.readyReplicas`: how many there are. */
  readonly statusReplicas: string;
  /** `.status.selector`: the label selector of the pods as text, which a HorizontalPodAutoscaler needs. */
  readonly selector?: string;
}

/** The scale subresource. Throws `DefinitionError` for a path that leads nowhere, or to what is no number of replicas. */
export function scalePaths(kind: string, scale: Scale, schema: StructuralSchema): Readonly<Record<string, string>> {
  check(kind, 'replicas', scale.replicas, '.spec.', 'integer', schema);
  check(kind, 'statusReplicas', scale.statusReplicas, '.status.', 'integer', schema);
  if (scale.selector !== undefined) check(kind, 'selector', scale.selector, '.status.', 'string', schema);
  return {
    specReplicasPath: scale.replicas,
    statusReplicasPath: scale.statusReplicas,
    ...(scale.selector === undefined ? {} : { labelSelectorPath: scale.selector }),
  };
}

/**
 * What the API server has against the replicas that an object with its defaults asks for, whatever its schema takes. Of what the schema
 * does not take nothing is said.
 */
export function scaleProblems(object: unknown, { replicas }: Scale): readonly FieldProblem[] {
  const names = replicas.split('.').slice(1);
  const wanted = names.reduce((at, name) => (isMap(at) && Object.hasOwn(at, name) ? at[name] : undefined), object);
  if (typeof wanted === 'number') return Number.isInteger(wanted) ? replicasProblems(replicas, wanted) : [];
  if (wanted !== null) return [];
  return [
    problem('FieldValueInvalid', replicas, 0, `${replicas} accessor error: <nil> is of the type <nil>, expected int64`),
  ];
}

function check(
  kind: string,
  option: keyof Scale,
  path: string,
  start: string,
  type: 'integer' | 'string',
  schema: StructuralSchema,
): void {
  const found = schemaAt(path, schema)?.type;
  if (path.startsWith(start) && !/[[\\]/.test(path) && found === type) return;
  const isA =
    found === undefined
      ? 'is not in its schema'
      : found !== type || !path.startsWith(start)
        ? `is of type ${found}`
        : 'has more in it than names and dots between them';
  throw new DefinitionError(`${kind} cannot be defined: scale.${option} ${path} ${isA}`, {
    hint: `write the path of a field of type ${type}, such as ${start}${type === 'integer' ? 'replicas' : 'selector'}`,
  });
}
