import { DefinitionError } from '../kube/errors.js';
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

function check(
  kind: string,
  option: keyof Scale,
  path: string,
  start: string,
  type: 'integer' | 'string',
  schema: StructuralSchema,
): void {
  const found = schemaAt(path, schema)?.type;
  if (path.startsWith(start) && !path.includes('[') && found === type) return;
  const isA = found === undefined ? 'is not in its schema' : `is of type ${found}`;
  throw new DefinitionError(`${kind} cannot be defined: scale.${option} ${path} ${isA}`, {
    hint: `write the path of a field of type ${type}, such as ${start}${type === 'integer' ? 'replicas' : 'selector'}`,
  });
}
