import { groupOf } from '../../kube/api-resource.js';
import type { KubeObject } from '../../kube/manifest.js';
import type { FieldProblem } from '../../schema/field-problem.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { invalid } from '../status-error.js';
import { aboutKind } from './decode.js';

/** Throws a `StatusError` (422) when there are problems. A custom resource is refused as what it says that it is. */
export function refuse(kind: ServedKind, object: KubeObject, problems: readonly FieldProblem[]): void {
  if (problems.length === 0) return;
  const about = kind.shape.patchType ? aboutKind(kind) : { group: groupOf(object.apiVersion), name: object.kind };
  throw invalid(about, object.metadata.name ?? '', problems);
}
