import type { FieldsV1, Manifest } from '../../kube/manifest.js';
import { storeAtStart } from '../at-start.js';
import type { Engine } from '../engine.js';
import { defaultRoles } from './default-roles.js';
import { rbac } from './role-index.js';

/** Whoever sets up a cluster finds these, as they come with Kubernetes. What they store is made once a process. */
export function bootstrapRoles(engine: Engine): void {
  prepared ??= defaultRoles().map(storedForm);
  for (const { role, fieldsV1 } of prepared) {
    const storage = engine.kinds.kind(rbac, 'v1', role.kind)?.storage;
    if (storage !== undefined) storeAtStart(engine, storage, role, fieldsV1);
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
