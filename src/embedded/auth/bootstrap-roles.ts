import type { FieldsV1, KubeObject, ManagedFieldsEntry, Manifest } from '../../kube/manifest.js';
import { type Engine, timeOf, uuid } from '../engine.js';
import { defaultRoles } from './default-roles.js';
import { rbac } from './role-index.js';

/**
 * Whoever sets up a cluster finds these, as they come with Kubernetes. They are stored as a create of each would store
 * them, and made once for all servers of this process: there are more than a hundred, and every test starts a server.
 */
export function bootstrapRoles({ store, kinds, clock, random }: Engine): void {
  const now = timeOf({ clock });
  prepared ??= defaultRoles().map(storedForm);
  for (const { role, fieldsV1 } of prepared) {
    const storage = kinds.kind(rbac, 'v1', role.kind)?.storage;
    const { name, namespace, labels, annotations } = role.metadata as KubeObject['metadata'];
    if (storage === undefined || store.get(storage, namespace, name)) continue;
    const entry: ManagedFieldsEntry = {
      manager: 'kube-apiserver',
      operation: 'Update',
      apiVersion: role.apiVersion,
      time: now,
      fieldsType: 'FieldsV1',
      fieldsV1,
    };
    const metadata = {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      managedFields: [entry],
      creationTimestamp: now,
      uid: uuid(random),
      resourceVersion: '',
    };
    store.put(storage, { ...role, metadata });
  }
}

interface Prepared {
  readonly role: Manifest;
  readonly fieldsV1: FieldsV1;
}

let prepared: readonly Prepared[] | undefined;

/** A role has rules in any case, if only null. */
function storedForm(role: Manifest): Prepared {
  const { apiVersion: _, kind, metadata, ...content } = role;
  const fields: Record<string, FieldsV1> = {};
  for (const field of Object.keys(content)) {
    fields[`f:${field}`] = field === 'aggregationRule' ? { '.': {}, 'f:clusterRoleSelectors': {} } : {};
  }
  fields['f:metadata'] = { 'f:annotations': keysOf(metadata.annotations), 'f:labels': keysOf(metadata.labels) };
  const inOrder = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  const hasRules = kind === 'ClusterRole' || kind === 'Role';
  return {
    role: hasRules ? { ...role, rules: content['rules'] ?? null } : role,
    fieldsV1: Object.fromEntries(inOrder),
  };
}

function keysOf(map: Readonly<Record<string, string>> = {}): FieldsV1 {
  const keys = Object.keys(map).sort();
  return Object.fromEntries([['.', {}], ...keys.map((key) => [`f:${key}`, {}])]) as FieldsV1;
}
