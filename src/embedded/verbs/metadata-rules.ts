import type { KubeObject, OwnerReference } from '../../kube/manifest.js';
import { type FieldProblem, problem, problemWithoutValue } from '../../schema/field-problem.js';
import { goQuote } from '../../schema/go-format.js';
import { dns1123Label, dns1123SubdomainName, pathSegmentName } from '../../schema/name-formats.js';
import { annotationProblems, finalizerProblems, labelProblems } from '../../schema/object-meta.js';
import type { DraftMetadata } from '../draft.js';
import type { ServedKind } from '../kinds/served-kind.js';

type Metadata = Readonly<DraftMetadata>;

/** What is wrong with the metadata of an object that is about to be created. */
export function metadataProblems(kind: ServedKind, object: KubeObject): FieldProblem[] {
  const metadata = withoutNulls(object.metadata as unknown as DraftMetadata);
  const { nameProblems = dns1123SubdomainName } = kind.rules;
  return [
    ...namedProblems(metadata, (name, isPrefix) => nameProblems(name, isPrefix, object)),
    ...commonProblems(kind, metadata),
  ];
}

/** What is wrong with the metadata of an object inside of another, which needs no name. */
export function metadataProblemsWithin(metadata: Metadata): FieldProblem[] {
  const named = { ...metadata, name: metadata.name || 'fakename' };
  return [...pathProblems(named), ...commonProblems({ namespaced: !!metadata.namespace }, metadata)];
}

/** Why the names do not fit into a path, where the kind itself takes any. */
export function pathProblems(metadata: Metadata): FieldProblem[] {
  return namedProblems(metadata, pathSegmentName);
}

/** What is wrong with the metadata of an object that is about to replace `old`. */
export function metadataUpdateProblems(
  kind: ServedKind,
  drafted: Metadata,
  old: KubeObject['metadata'],
): FieldProblem[] {
  const metadata = withoutNulls(drafted);
  const changed = changeProblems(metadata, old);
  // As on the server, where both what is common to all kinds and each kind judges the change.
  return [...namedProblems(metadata, pathSegmentName), ...commonProblems(kind, metadata), ...changed, ...changed];
}

/** A custom resource that was applied may have nulls for texts until it is stored, which are empty. */
function withoutNulls(metadata: Metadata): Metadata {
  const { labels, annotations } = metadata as { readonly [field: string]: Nullable | undefined };
  if (!hasNull(labels) && !hasNull(annotations)) return metadata;
  const texts = (map: Nullable = {}) =>
    Object.fromEntries(Object.entries(map).map(([key, value]) => [key, value ?? '']));
  return { ...metadata, labels: texts(labels), annotations: texts(annotations) };
}

type Nullable = Readonly<Record<string, string | null>>;

function hasNull(values: Nullable = {}): boolean {
  return Object.values(values).includes(null);
}

function changeProblems(metadata: Metadata, old: KubeObject['metadata']): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (old.deletionTimestamp !== undefined) {
    const added = (metadata.finalizers ?? []).filter((name) => old.finalizers?.includes(name) !== true);
    if (added.length > 0) {
      const shown = `[]string{${[...new Set(added)].sort().map(goQuote).join(', ')}}`;
      const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${shown}`;
      problems.push(problemWithoutValue('FieldValueForbidden', 'metadata.finalizers', detail));
    }
  }
  if (!metadata.resourceVersion) {
    problems.push(problem('FieldValueInvalid', 'metadata.resourceVersion', '', 'must be specified for an update'));
  }
  for (const name of immutable) {
    const [before, after] = [old[name], metadata[name]];
    if (before !== after)
      problems.push(problem('FieldValueInvalid', `metadata.${name}`, after ?? empty[name], isImmutable));
  }
  const { labels, annotations, ownerReferences } = metadata;
  if (labels) problems.push(...labelProblems(labels, 'metadata.labels'));
  if (annotations) problems.push(...annotationProblems(annotations));
  if (ownerReferences) problems.push(...ownerProblems(ownerReferences));
  return problems;
}

const isImmutable = 'field is immutable';
const immutable = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;
const empty: Readonly<Record<(typeof immutable)[number], unknown>> = {
  name: '',
  namespace: '',
  uid: '',
  creationTimestamp: null,
  deletionTimestamp: null,
  deletionGracePeriodSeconds: null,
};

function namedProblems(
  { name = '', generateName = '' }: Metadata,
  nameProblems: (name: string, isPrefix: boolean) => readonly string[],
): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (generateName !== '') {
    for (const message of nameProblems(generateName, true)) {
      problems.push(problem('FieldValueInvalid', 'metadata.generateName', generateName, message));
    }
  }
  if (name === '') {
    problems.push(problemWithoutValue('FieldValueRequired', 'metadata.name', 'name or generateName is required'));
  } else {
    for (const message of nameProblems(name, false)) {
      problems.push(problem('FieldValueInvalid', 'metadata.name', name, message));
    }
  }
  return problems;
}

function commonProblems(kind: Pick<ServedKind, 'namespaced'>, metadata: Metadata): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (kind.namespaced) {
    if (!metadata.namespace) problems.push(problemWithoutValue('FieldValueRequired', 'metadata.namespace'));
    else {
      for (const message of dns1123Label(metadata.namespace)) {
        problems.push(problem('FieldValueInvalid', 'metadata.namespace', metadata.namespace, message));
      }
    }
  } else if (metadata.namespace) {
    problems.push(problemWithoutValue('FieldValueForbidden', 'metadata.namespace', 'not allowed on this type'));
  }
  const { labels, annotations, ownerReferences, finalizers, generation = 0 } = metadata;
  if (generation < 0) {
    const detail = 'must be greater than or equal to 0';
    problems.push(problem('FieldValueInvalid', 'metadata.generation', generation, detail));
  }
  if (labels) problems.push(...labelProblems(labels, 'metadata.labels'));
  if (annotations) problems.push(...annotationProblems(annotations));
  if (ownerReferences) problems.push(...ownerProblems(ownerReferences));
  if (finalizers) problems.push(...finalizerProblems(finalizers));
  return problems;
}

function ownerProblems(owners: readonly OwnerReference[]): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const path = 'metadata.ownerReferences';
  let controller = '';
  for (const owner of owners) {
    const { apiVersion, kind, name, uid } = { ...noOwner, ...withoutNothing(owner) };
    const say = (field: string, value: string, detail: string) =>
      problems.push(problem('FieldValueInvalid', `${path}.${field}`, value, detail));
    if (!versioned.test(apiVersion)) say('apiVersion', apiVersion, 'version must not be empty');
    if (kind === '') say('kind', kind, 'must not be empty');
    if (name === '') say('name', name, 'must not be empty');
    if (uid === '') say('uid', uid, 'must not be empty');
    if (apiVersion === 'v1' && kind === 'Event') {
      problems.push(ownersProblem(owner, '/v1, Kind=Event is disallowed from being an owner'));
    }
    if (owner.controller !== true) continue;
    const current = `${kind}/${name}`;
    if (controller === '') controller = current;
    else {
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${current}`;
      problems.push(ownersProblem(owners, detail));
    }
  }
  return problems;
}

const noOwner = { apiVersion: '', kind: '', name: '', uid: '' };

function withoutNothing<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(value).filter(([, each]) => each !== null && each !== undefined),
  ) as Partial<T>;
}

const versioned = /^([^/]*\/)?[^/]+$/;

/** The server shows owners with the fields in the order in which it declares them. */
function ownersProblem(shown: OwnerReference | readonly OwnerReference[], detail: string): FieldProblem {
  const value = JSON.stringify(shown, ['apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion']);
  return {
    reason: 'FieldValueInvalid',
    path: 'metadata.ownerReferences',
    message: `Invalid value: ${value}: ${detail}`,
  };
}
