import type { PodTemplateSpec } from '../../../imports/k8s.js';
import type { KubeObject } from '../../kube/manifest.js';
import { controllerReferenceTo } from '../../kube/owner-reference.js';
import { StatusError } from '../status-error.js';
import { pods } from './built-in.js';
import type { Desk } from './controller.js';
import type { Pod } from './pod-state.js';

/** What a Pod of `owner` is, without a name: as its template says, controlled by its owner. */
export function podFrom(template: PodTemplateSpec, owner: KubeObject) {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  return {
    metadata: {
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(finalizers === undefined ? {} : { finalizers }),
      ownerReferences: [controllerReferenceTo(owner)],
    },
    ...(template.spec === undefined ? {} : { spec: template.spec }),
  };
}

/** Creates a Pod and says so at its owner. In a namespace that is going nothing is created, and that is no failure. */
export function createPod(desk: Desk, owner: KubeObject, pod: ReturnType<typeof podFrom>): Pod | undefined {
  try {
    const created = desk.writer.create(pods, owner.metadata.namespace, pod);
    desk.events.normal(owner, 'SuccessfulCreate', `Created pod: ${created.metadata.name}`);
    return created;
  } catch (error) {
    if (isOfTerminatingNamespace(error)) return undefined;
    if (error instanceof StatusError) desk.events.warning(owner, 'FailedCreate', `Error creating: ${error.message}`);
    throw error;
  }
}

export function deletePod(desk: Desk, owner: KubeObject, pod: Pod): void {
  desk.writer.delete(pod);
  desk.events.normal(owner, 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`);
}

export function isOfTerminatingNamespace(error: unknown): boolean {
  if (!(error instanceof StatusError)) return false;
  const causes = error.status.details?.causes ?? [];
  return causes.some(({ reason }) => reason === 'NamespaceTerminating');
}
