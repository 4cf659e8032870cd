import type { Container, PodSpec } from '../../../../imports/k8s.js';
import { goJson } from '../../../schema/go-format.js';
import { betweenInclusive } from '../../../schema/name-formats.js';
import { withMoreOf } from '../../said-more.js';
import { internalJson, internalLines } from '../pod-template/internal-json.js';
import { tolerationProblems } from '../pod-template/toleration-problems.js';
import type { Problems } from '../problems.js';
import type { Unchecked } from '../unchecked.js';
import { isSame } from './selector-of-workload.js';
import { unifiedDiff } from './unified-diff.js';

type Spec = Unchecked<PodSpec>;

const updatable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',');

/** What may change of a Pod that is there: https://kubernetes.io/docs/concepts/workloads/pods/#pod-update-and-replacement */
export function podChangeProblems(found: Problems, spec: Spec, old: Spec): void {
  for (const field of ['containers', 'initContainers'] as const) {
    const now = spec[field] ?? [];
    if (now.length !== (old[field]?.length ?? 0)) {
      found.forbidden(`spec.${field}`, 'pod updates may not add or remove containers');
      return;
    }
    imagesOf(found, `spec.${field}`, now);
  }
  if (!deadlineProblems(found, spec, old)) return;
  addedTolerations(found, spec, old);
  deletedGates(found, spec, old);
  if (isSame(spec, old)) return;

  const rest = restored(found, spec, old);
  if (isSame(rest, old)) return;
  const diff = unifiedDiff(internalLines('PodSpec', old), internalLines('PodSpec', rest));
  found.forbidden('spec', `pod updates may not change fields other than ${updatable}\n${diff}`);
}

function imagesOf(found: Problems, path: string, containers: readonly Unchecked<Container>[]): void {
  containers.forEach(({ image = '' }, index) => {
    const at = `${path}[${index}].image`;
    if (image === '') found.required(at);
    if (image !== image.trim()) found.invalid(at, image, 'must not have leading or trailing whitespace');
  });
}

/** False when the server looks no further. */
function deadlineProblems(found: Problems, spec: Spec, old: Spec): boolean {
  const { activeDeadlineSeconds: now } = spec;
  const { activeDeadlineSeconds: before } = old;
  const at = 'spec.activeDeadlineSeconds';
  if (now === undefined) {
    if (before !== undefined) found.invalid(at, null, 'must not update from a positive integer to nil value');
    return true;
  }
  if (now < 0 || now > 2 ** 31 - 1) {
    found.invalid(at, now, betweenInclusive(0, 2 ** 31 - 1));
    return false;
  }
  if (before === undefined || before >= now) return true;
  found.invalid(at, now, 'must be less than or equal to previous value');
  return false;
}

function addedTolerations(found: Problems, { tolerations = [] }: Spec, old: Spec): void {
  const areAllThere = (old.tolerations ?? []).every((before) =>
    tolerations.some((now) => isSame({ ...before, tolerationSeconds: 0 }, { ...now, tolerationSeconds: 0 })),
  );
  if (!areAllThere) {
    const detail = 'existing toleration can not be modified except its tolerationSeconds';
    found.forbidden('spec.tolerations', detail);
    return;
  }
  tolerationProblems(found, 'spec.tolerations', tolerations);
}

function deletedGates(found: Problems, { schedulingGates = [] }: Spec, old: Spec): void {
  // Of a gate that stands there twice only the last is told.
  const added = new Map(schedulingGates.map(({ name = '' }, index) => [name, index] as const));
  for (const { name = '' } of old.schedulingGates ?? []) added.delete(name);
  for (const [name, index] of added) {
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`;
    found.forbidden(`spec.schedulingGates[${index}].name`, detail);
  }
}

/** Lists that may change; those of containers do so in their images. */
const mutable = ['containers', 'initContainers', 'schedulingGates', 'tolerations'];

/** The new specification with all that may change as it was before: what still differs may not. */
function restored(found: Problems, spec: Spec, old: Spec): Spec {
  const rest: Record<string, unknown> = withMoreOf({ ...spec }, spec, ...mutable);
  const restore = (field: keyof Spec) => {
    if (old[field] === undefined) delete rest[field];
    else rest[field] = old[field];
  };
  for (const field of ['containers', 'initContainers'] as const) {
    if (spec[field] === undefined) continue;
    rest[field] = spec[field].map((container, index) =>
      withMoreOf({ ...container, image: old[field]?.[index]?.image }, container),
    );
  }
  for (const field of ['activeDeadlineSeconds', 'schedulingGates', 'tolerations'] as const) restore(field);
  const { terminationGracePeriodSeconds: grace = 0 } = old;
  if (grace < 0 && spec.terminationGracePeriodSeconds === 1) restore('terminationGracePeriodSeconds');
  // A Pod that waits behind a gate may still be told where to go, as long as it gets no more freedom.
  if ((old.schedulingGates?.length ?? 0) > 0) {
    if (!isSame(spec.nodeSelector, old.nodeSelector)) {
      nodeSelectorProblems(found, spec, old);
      restore('nodeSelector');
    }
    nodeAffinity(found, rest, spec, old);
  }
  return rest as Spec;
}

function nodeSelectorProblems(found: Problems, spec: Spec, old: Spec): void {
  const now = spec.nodeSelector ?? {};
  if (Object.entries(old.nodeSelector ?? {}).every(([key, value]) => now[key] === value)) return;
  const detail = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
  found.invalidShown('spec.nodeSelector', spec.nodeSelector ? goJson(spec.nodeSelector) : 'null', detail);
}

function nodeAffinity(found: Problems, rest: Record<string, unknown>, spec: Spec, old: Spec): void {
  const before = old.affinity?.nodeAffinity;
  const now = spec.affinity?.nodeAffinity;
  if (isSame(now, before)) return;
  const at = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';
  const oldTerms = before?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const terms = now?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const shown = (term: object) => internalJson('NodeSelectorTerm', term);
  if (oldTerms.length > 0 && oldTerms.length !== terms.length) {
    const all = terms.length === 0 ? 'null' : `[${terms.map(shown).join(',')}]`;
    found.invalidShown(at, all, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed');
  } else {
    oldTerms.forEach((term, index) => {
      if (hasOnlyAdditions(terms[index]!, term)) return;
      const detail = 'only additions are allowed (no mutations or deletions)';
      found.invalidShown(`${at}[${index}]`, shown(terms[index]!), detail);
    });
  }
  const { nodeAffinity: _, ...others } = spec.affinity ?? {};
  const affinity = { ...others, ...(before === undefined ? {} : { nodeAffinity: before }) };
  if (old.affinity === undefined && Object.keys(affinity).length === 0) delete rest.affinity;
  else rest.affinity = affinity;
}

type Term = NonNullable<
  NonNullable<
    NonNullable<NonNullable<Spec['affinity']>['nodeAffinity']>['requiredDuringSchedulingIgnoredDuringExecution']
  >['nodeSelectorTerms']
>[number];

function hasOnlyAdditions(now: Term, old: Term): boolean {
  const fields = ['matchExpressions', 'matchFields'] as const;
  if (fields.every((field) => (old[field]?.length ?? 0) === 0)) {
    return fields.every((field) => (now[field]?.length ?? 0) === 0);
  }
  return fields.every((field) => isSame((now[field] ?? []).slice(0, old[field]?.length ?? 0), old[field] ?? []));
}
