import type { Json, KubeObject } from '../../kube/manifest.js';
import type { Draft } from '../draft.js';
import type { Engine } from '../engine.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { type AskedWrite, convertedBy, type Reviewer } from '../reviewer.js';
import { internalError } from '../status-error.js';
import { apiVersionOf } from './decode.js';
import type { Writing } from './writing.js';

/** Who is asked about a kind may change a draft, in place, before the rules of the kind judge it. */
export function mutateByReview(
  engine: Engine,
  kind: ServedKind,
  draft: Draft,
  live: KubeObject | undefined,
  request: Writing,
): void {
  const reviewer = reviewerFor(engine, kind, request);
  if (!reviewer?.mutate) return;
  const write = askedWrite(reviewer, draft as unknown as KubeObject, live, request);
  const mutated = reviewer.mutate(write);
  if (mutated === write.now) return;
  const inItsVersion = inVersion(reviewer, mutated, apiVersionOf(kind));
  const { object } = kind.shape.decode(inItsVersion as unknown as { readonly [field: string]: Json });
  // Metadata is not for them, but for what a conversion keeps there.
  const { annotations } = object.metadata;
  if (annotations) draft.metadata.annotations = annotations;
  else delete draft.metadata.annotations;
  for (const field of new Set([...Object.keys(draft), ...Object.keys(object)])) {
    if (heads.has(field)) continue;
    if (Object.hasOwn(object, field)) draft[field] = object[field];
    else delete draft[field];
  }
}

const heads: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Who is asked about a kind may refuse what nothing else is wrong with. */
export function validateByReview(
  engine: Engine,
  kind: ServedKind,
  next: KubeObject,
  live: KubeObject | undefined,
  request: Writing,
): void {
  const reviewer = reviewerFor(engine, kind, request);
  reviewer?.validate?.(askedWrite(reviewer, next, live, request));
}

/** Subresources are not reviewed. */
function reviewerFor({ reviewers }: Engine, { storage }: ServedKind, { subresource }: Writing): Reviewer | undefined {
  return subresource === undefined ? reviewers.get(storage) : undefined;
}

function askedWrite(
  reviewer: Reviewer,
  now: KubeObject,
  before: KubeObject | undefined,
  { caller, dryRun = false }: Writing,
): AskedWrite {
  const seen = (object: KubeObject) => inVersion(reviewer, object, reviewer.apiVersion);
  return {
    // A copy: as over a wire, nobody can change what is under way.
    now: seen(structuredClone(now)),
    ...(before ? { before: seen(before) } : {}),
    caller,
    isDryRun: dryRun,
  };
}

function inVersion(reviewer: Reviewer, object: KubeObject, apiVersion: string): KubeObject {
  return convertedBy(reviewer, object, apiVersion, (words) => internalError(`Internal error occurred: ${words}`));
}
