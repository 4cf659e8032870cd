import type { ManagedFieldsEntry, OwnerReference } from '../kube/manifest.js';

/**
 * An object on its way into the store: private to one request, and changed in place by defaults and rules until it is
 * stored, which freezes it. What came from the store is never a draft; `draftOf` makes one.
 */
export interface Draft {
  apiVersion: string;
  kind: string;
  metadata: DraftMetadata;
  [field: string]: unknown;
}

export interface DraftMetadata {
  name?: string;
  generateName?: string;
  namespace?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  uid?: string;
  resourceVersion?: string;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  generation?: number;
  managedFields?: ManagedFieldsEntry[];
  selfLink?: string;
}

/** A shape of the API, such as those of `imports/k8s.ts`, for code that fills it in. */
export type Writable<T> = T extends readonly (infer Item)[]
  ? Writable<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Writable<T[Key]> }
    : T;

/** What rules get: an object of the shape `T` whose metadata is filled in as far as it has come. */
export type DraftOf<T> = Writable<Omit<T, 'apiVersion' | 'kind' | 'metadata'>> & {
  apiVersion: string;
  kind: string;
  metadata: DraftMetadata;
};

export function draftOf<T extends object>(object: T): Draft {
  return structuredClone(object) as unknown as Draft;
}
