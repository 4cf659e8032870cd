import { type ApiResource, groupResourceOf } from '../kube/api-resource.js';
import type { KubeObject } from '../kube/manifest.js';
import { isMap } from '../kube/plain-map.js';
import { TransportError } from './api-error.js';
import type { ObjectList } from './cluster.js';
import type { Asked } from './response-error.js';

interface List {
  readonly kind?: unknown;
  /** Null of an empty one, as Go writes it. */
  readonly items?: readonly KubeObject[] | null;
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
}

/** The list that a server answered. Throws `TransportError` for what is none: it must not be taken for an empty one. */
export function objectListIn(answer: unknown, resource: ApiResource): ObjectList {
  const { kind, items, metadata } = (answer ?? {}) as List;
  if (!Array.isArray(items) && !String(kind).endsWith('List')) {
    throw new TransportError(`${groupResourceOf(resource)} list failed: the server answered 200 with no list`);
  }
  return {
    // Items of a list do not say their kind; objects do.
    items: (items ?? []).map((item) => ({ ...item, apiVersion: resource.apiVersion, kind: resource.kind })),
    resourceVersion: metadata?.resourceVersion ?? '',
    ...(metadata?.continue ? { continue: metadata.continue } : {}),
  };
}

/**
 * The object that a server answered. Throws `TransportError` for what is none, such as the page of a gateway. What nobody stores, as a
 * review, need have no metadata.
 */
export function objectIn(answer: unknown, { subject, verb }: Asked): KubeObject {
  if (!isMap(answer) || !(isMap(answer['metadata']) || typeof answer['kind'] === 'string')) {
    throw new TransportError(`${subject} ${verb} failed: the server answered 200 with no object`);
  }
  return answer as unknown as KubeObject;
}
