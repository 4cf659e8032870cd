import type { ControllerRevisionObject, LabelSelector, PodTemplateSpec } from '../../../imports/k8s.js';
import type { Json, KubeObject } from '../../kube/manifest.js';
import { controllerReferenceTo } from '../../kube/owner-reference.js';
import { equal } from '../fields/field-type.js';
import { StatusError } from '../status-error.js';
import { type Live, revisions } from './built-in.js';
import { claimChildren } from './claim-children.js';
import type { Desk } from './controller.js';
import { templateHash } from './template-hash.js';

export type ControllerRevision = Live<ControllerRevisionObject>;

/** What StatefulSets and DaemonSets remember of their templates. */
export const revisionHash = 'controller-revision-hash';

interface Owner extends KubeObject {
  readonly spec?:
    | { readonly selector?: LabelSelector | undefined; readonly template?: PodTemplateSpec | undefined }
    | undefined;
}

/** Oldest first. Orphans that the owner selects are adopted. */
export function revisionsOf(desk: Desk, owner: Owner): readonly ControllerRevision[] {
  return claimChildren(desk, owner, owner.spec?.selector, revisions).sort(
    (a, b) => a.revision - b.revision || (a.metadata.name < b.metadata.name ? -1 : 1),
  );
}

/** The revision of the template as it is now, made or moved to the end of the history where needed. */
export function latestRevision(
  desk: Desk,
  owner: Owner,
  history: readonly ControllerRevision[],
  collisions: number,
  annotations: Readonly<Record<string, string>> = {},
  hashLabel = 'controller.kubernetes.io/hash',
): { readonly latest: ControllerRevision; readonly collisions: number } {
  const template = owner.spec?.template ?? {};
  const next = (history.at(-1)?.revision ?? 0) + 1;
  const known = history.findLast((each) => equal(templateOf(each) as unknown as Json, template as unknown as Json));
  if (known) {
    const isLast = known === history.at(-1);
    return { latest: isLast ? known : desk.writer.update(revisions, { ...known, revision: next }), collisions };
  }
  for (let count = collisions; ; count++) {
    const hash = templateHash(template, count);
    const object = {
      metadata: {
        // Uncut, so that a DaemonSet of too long a name gets no Pod. A StatefulSet's is cut at 223 characters, and has 63.
        name: `${owner.metadata.name}-${hash}`,
        namespace: owner.metadata.namespace,
        labels: { ...template.metadata?.labels, [hashLabel]: hash },
        annotations,
        ownerReferences: [controllerReferenceTo(owner)],
      },
      data: { spec: { template: { ...template, $patch: 'replace' } } },
      revision: next,
    };
    try {
      return { latest: desk.writer.create(revisions, owner.metadata.namespace, object), collisions: count };
    } catch (error) {
      if (!(error instanceof StatusError) || error.status.reason !== 'AlreadyExists') throw error;
    }
  }
}

export function templateOf({ data }: ControllerRevision): PodTemplateSpec {
  const { spec } = data as { spec: { template: PodTemplateSpec & { $patch?: string } } };
  const { $patch: _, ...template } = spec.template;
  return template;
}

/** Deletes the oldest revisions that nothing lives by, until `limit` of them are left. */
export function forgetRevisions(
  desk: Desk,
  history: readonly ControllerRevision[],
  isLive: (revision: ControllerRevision) => boolean,
  limit: number,
): void {
  const unused = history.filter((each) => !isLive(each));
  for (const each of unused.slice(0, Math.max(0, unused.length - limit))) desk.writer.delete(each);
}
