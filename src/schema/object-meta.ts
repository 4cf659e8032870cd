import { isMap } from '../kube/plain-map.js';
import { type FieldProblem, problem, problemWithoutValue, unknownField } from './field-problem.js';
import { dns1123Label, dns1123Subdomain, labelKey, labelValue, qualifiedName } from './name-formats.js';

/** What of `metadata` a user writes, before anybody knows whether it has the right types. */
type WrittenMetadata = Readonly<Record<string, unknown>>;

type Texts = Readonly<Record<string, string>>;

const annotationBytes = 256 * 1024;

/** What metadata may have: https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/ */
export const metadataFields: readonly string[] = [
  ...['name', 'generateName', 'namespace', 'selfLink', 'uid', 'resourceVersion', 'generation'],
  ...['creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'],
  ...['labels', 'annotations', 'ownerReferences', 'finalizers', 'managedFields'],
];
const known: ReadonlySet<string> = new Set(metadataFields);

/** Fields that no metadata has, which strict field validation refuses. */
export function unknownMetadata(metadata: WrittenMetadata = {}): FieldProblem[] {
  return Object.keys(metadata)
    .filter((field) => !known.has(field))
    .map((field) => unknownField(`metadata.${field}`));
}

/**
 * What the API server would say of the metadata that a user writes of a custom resource, in its words. Without a namespace
 * it gets one when it is created.
 *
 * https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/
 */
export function objectMetaProblems(metadata: WrittenMetadata = {}): FieldProblem[] {
  const untyped = typeProblems(metadata);
  if (untyped.length > 0) return untyped;
  const { name, namespace, labels, annotations, finalizers } = metadata as {
    readonly name?: string;
    readonly namespace?: string;
    readonly labels?: Texts;
    readonly annotations?: Texts;
    readonly finalizers?: readonly string[];
  };
  const at = (field: string, value: string, details: readonly string[]) =>
    details.map((detail) => problem('FieldValueInvalid', `metadata.${field}`, value, detail));
  return [
    ...(name
      ? at('name', name, dns1123Subdomain(name))
      : [problemWithoutValue('FieldValueRequired', 'metadata.name', 'name or generateName is required')]),
    ...(namespace ? at('namespace', namespace, dns1123Label(namespace)) : []),
    ...labelProblems(labels ?? {}, 'metadata.labels'),
    ...annotationProblems(annotations ?? {}),
    ...finalizerProblems(finalizers ?? []),
  ];
}

/** What could not even be read as metadata: a label that is a number. */
function typeProblems(metadata: WrittenMetadata): FieldProblem[] {
  const { name, namespace, labels, annotations, finalizers } = metadata;
  const misshapen = [
    ...Object.entries({ labels, annotations }).map(([field, map]) => [field, map, isMap(map), 'a map'] as const),
    ['finalizers', finalizers, Array.isArray(finalizers), 'a list'] as const,
  ].flatMap(([field, value, isRight, what]) =>
    isRight || value === undefined || value === null
      ? []
      : [problem('FieldValueTypeInvalid', `metadata.${field}`, value, `must be ${what}`)],
  );
  if (misshapen.length > 0) return misshapen;
  const texts = Object.entries({ labels, annotations, finalizers }).flatMap(([field, map]) =>
    Object.entries(map ?? {}).map(([key, value]) => [`${field}[${key}]`, value] as const),
  );
  return [['name', name] as const, ['namespace', namespace] as const, ...texts]
    .filter(([, value]) => value !== undefined && value !== null && typeof value !== 'string')
    .map(([field, value]) => problem('FieldValueTypeInvalid', `metadata.${field}`, value, 'must be a string'));
}

/** What is wrong with labels, at the path of the whole map, as the server has it. */
export function labelProblems(labels: Texts | undefined, path: string): readonly FieldProblem[] {
  const problems: FieldProblem[] = [];
  for (const key in labels) {
    for (const message of labelKey(key)) problems.push(problem('FieldValueInvalid', path, key, message));
    for (const message of labelValue(labels[key]!)) {
      problems.push(problem('FieldValueInvalid', path, labels[key], message));
    }
  }
  return problems;
}

/** What is wrong with annotations, as the server has it. */
export function annotationProblems(annotations: Readonly<Record<string, string>>): FieldProblem[] {
  const problems: FieldProblem[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(annotations)) {
    for (const message of qualifiedName(key.toLowerCase())) {
      problems.push(problem('FieldValueInvalid', 'metadata.annotations', key, message));
    }
    size += key.length + value.length;
  }
  // Characters are at most three bytes; counting exactly is only worth it near the limit.
  if (size * 3 > annotationBytes && bytesOf(annotations) > annotationBytes) {
    const detail = `may not be more than ${annotationBytes} bytes`;
    problems.push(problemWithoutValue('FieldValueTooLong', 'metadata.annotations', detail));
  }
  return problems;
}

function bytesOf(texts: Texts): number {
  return Object.entries(texts).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
}

/** What is wrong with finalizers, as the server has it. */
export function finalizerProblems(finalizers: readonly string[]): FieldProblem[] {
  const path = 'metadata.finalizers';
  const problems = finalizers.flatMap((name) =>
    qualifiedName(name).map((message) => problem('FieldValueInvalid', path, name, message)),
  );
  if (finalizers.includes('foregroundDeletion') && finalizers.includes('orphan')) {
    const detail = 'finalizer orphan and foregroundDeletion cannot be both set';
    problems.push(problem('FieldValueInvalid', path, finalizers, detail));
  }
  return problems;
}
