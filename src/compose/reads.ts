import type { ApiResource } from '../kube/api-resource.js';
import type { KubeObject } from '../kube/manifest.js';
import type { Observed, TypedClass } from '../resource/typed-object.js';

/** Which objects are read: one by its name, or all with certain labels. Absent namespace: that of the custom resource. */
export interface One {
  readonly namespace?: string;
  readonly name: string;
}

export interface Many {
  readonly namespace?: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** An input from the cluster. The controller watches it, and queues a custom resource when what it reads changes. */
export type Read<C = never> =
  | { readonly type: 'one'; readonly resource: ApiResource; select(cr: C): One }
  | { readonly type: 'many'; readonly resource: ApiResource; select(cr: C): Many };

/** A read with the type of what it gives, which is known to the compiler alone. */
export type TypedRead<Input, C> = Read<C> & { readonly input?: Input };

/** Reads one object. `compose` and `status` get it, or undefined while it does not exist. */
export function one<T, C>(resource: TypedClass<T>, select: (cr: C) => One): TypedRead<Observed<T> | undefined, C> {
  return { type: 'one', resource, select };
}

/** Reads all objects with certain labels. `compose` and `status` get them in the order of their names. */
export function many<T, C>(resource: TypedClass<T>, select: (cr: C) => Many): TypedRead<readonly Observed<T>[], C> {
  return { type: 'many', resource, select };
}

/** What the reads of an operator gave, by their names. */
export type Inputs = Readonly<Record<string, KubeObject | undefined | readonly KubeObject[]>>;
