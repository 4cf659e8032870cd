import type { ApiResource } from '../kube/api-resource.js';
import { DefinitionError } from '../kube/errors.js';
import { isKind } from '../kube/refuse-misshapen.js';

/** A kind in `owns`: a class of `imports/` or of `customResource`, or what `optional` makes of one. */
export interface OwnedKind extends ApiResource {
  /** True for a kind that some clusters do not serve. */
  readonly optional?: true;
}

/**
 * In `owns`: a kind that some clusters do not serve, such as OpenShift's Route. Where it is not served its children are left
 * out, and the condition `<kind>Available` of each custom resource says so. It is looked for again and again, so that
 * children follow when it is installed, without a restart.
 *
 * Throws `DefinitionError` for what is no kind, as an import is that brings nothing.
 */
export function optional(resource: ApiResource): OwnedKind {
  if (!isKind(resource)) {
    throw new DefinitionError('optional() is handed no kind', {
      hint: 'write a class of kilter/imports/k8s or its like: owns: [optional(Route)]',
    });
  }
  const { apiVersion, kind, plural, namespaced, saysReady = false } = resource;
  // A kind of ours, which says when it is ready.
  const crd = 'crd' in resource ? { crd: resource.crd } : {};
  return { apiVersion, kind, plural, namespaced, optional: true, ...(saysReady && { saysReady }), ...crd };
}
