import type { Json } from '../../../../src/kube/manifest.js';

type Body = { readonly [field: string]: unknown };

/** Bodies of one kind that both servers are asked about. */
export interface Judged {
  /** `Service`, or with its group where several kinds have the name: `Event.events.k8s.io`. */
  readonly kind: string;
  /** New objects. */
  readonly bodies: readonly (readonly [title: string, body: Body])[];
  /** New objects that are really created, where a dry run is judged more mildly. */
  readonly created?: readonly (readonly [title: string, body: Body])[];
  /** Objects, and what is changed of them; null takes a field away. */
  readonly changes?: readonly (readonly [title: string, body: Body, change: Body])[];
  /** The same through the status subresource. */
  readonly statuses?: readonly (readonly [title: string, body: Body, change: Body])[];
}

export function nameIn(body: Body): string {
  return (body['metadata'] as { readonly name: string }).name;
}

export function asJson(body: Body): { readonly [field: string]: Json } {
  return body as { readonly [field: string]: Json };
}
