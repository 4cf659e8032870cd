/** Any value that JSON can carry. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** `metadata` as a person or a composition writes it. */
export interface ManifestMetadata {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly [field: string]: unknown;
}

/** What someone wants to exist: plain data, ready to be sent or rendered. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ManifestMetadata;
  readonly [field: string]: unknown;
}

/** `metadata` as the API server returns it. Times are RFC 3339 strings, in UTC. */
export interface ObjectMetadata extends ManifestMetadata {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly generation?: number;
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/** An object as the API server returns it. May be stale the moment it is read. */
export interface KubeObject extends Manifest {
  readonly metadata: ObjectMetadata;
}

/** https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/#System */
export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: 'Apply' | 'Update';
  readonly apiVersion?: string;
  readonly time?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: FieldsV1;
  readonly subresource?: string;
}

/** A set of field paths: `f:` is a key, `k:` a list item by its keys, `v:` a set item, `.` the node itself. */
export interface FieldsV1 {
  readonly [segment: string]: FieldsV1;
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}
