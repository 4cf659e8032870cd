import type { KubeObject } from '../../kube/manifest.js';
import { ownAnnotations } from '../../kube/own-annotations.js';
import type { Change } from '../informer/store.js';
import { type Priority, priorities } from './ready-keys.js';

/**
 * How urgent a change of a custom resource is. What somebody asks for by it goes before what merely follows from that:
 * by its spec, or by an annotation of its group, as to suspend it, or to have it looked at now. Of what is left, its status or
 * the labels that a tool gives to thousands, nobody waits for an answer.
 */
export function priorityOf(change: Change): Priority {
  if (change.type !== 'updated') return priorities.changed;
  return asked(change.object) === asked(change.before) ? priorities.resync : priorities.changed;
}

function asked(cr: KubeObject): string {
  const { generation, deletionTimestamp } = cr.metadata;
  return JSON.stringify([generation, deletionTimestamp, ownAnnotations(cr)]);
}
