import type { ApiResource } from '../kube/api-resource.js';
import type { Observed, TypedObject } from '../resource/typed-object.js';

/** A construct class, of `imports/` or by `customResource`: it says where its objects are served, and their types. */
export type KindClass = ApiResource & (abstract new (...parameters: never) => TypedObject<unknown>);

/** An object of a kind as the cluster has it. */
export type ObjectOf<K extends KindClass> = K extends abstract new (
  ...parameters: never
) => TypedObject<infer T>
  ? Observed<T>
  : never;

/** An object of a kind as somebody writes it, with its name. */
export type WrittenOf<K extends KindClass> = K extends abstract new (
  scope: never,
  id: never,
  props: infer P,
) => unknown
  ? P & { readonly metadata: { readonly name: string } }
  : never;
