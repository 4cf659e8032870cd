import { DefinitionError } from '../kube/errors.js';
import {
  type CommonOptions,
  commonPart,
  type Nullable,
  type PresenceOf,
  picked,
  presenceOf,
  type Types,
} from './options.js';
import { type AnySchema, Schema, structuralOf } from './schema.js';
import type { StructuralSchema } from './structural.js';

/** What a list may say of itself, beside its items. */
export interface ListOptions<S extends AnySchema> extends CommonOptions {
  readonly default?: readonly Types<S>['in'][];
  readonly minItems?: number;
  /** Also what keeps the cost of CEL rules on the items within the server's budget. */
  readonly maxItems?: number;
}

type ListSchema<S extends AnySchema, O> = Schema<
  Nullable<readonly Types<S>['in'][], O>,
  Nullable<readonly Types<S>['out'][], O>,
  PresenceOf<O>
>;

/**
 * A list that has one owner under server-side apply: whoever applies it replaces it whole. Where several write, `set` and
 * `listMap` are better: https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy
 */
export function array<const S extends AnySchema, const O extends ListOptions<S> = object>(
  items: S,
  options?: O,
): ListSchema<S, O> {
  return list(items, {}, options);
}

/** A list of scalars without repetition, in which each item has its own owner under server-side apply. */
export function set<const S extends AnySchema, const O extends ListOptions<S> = object>(
  items: S,
  options?: O,
): ListSchema<S, O> {
  return list(items, { 'x-kubernetes-list-type': 'set' }, options);
}

/** The names of fields that are always there: only those can tell the items of a list apart. */
type KeyOf<S extends AnySchema> = AlwaysThere<Types<S>['out']> & string;

/** `object` fits what may be missing altogether, and nothing that has to be there. */
type AlwaysThere<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];

/** What `s.listMap` may say of a list, beside its items. */
export interface ListMapOptions<S extends AnySchema> extends ListOptions<S> {
  /** The fields that together name an item. Each has to be required or have a default. */
  readonly keys: readonly [KeyOf<S>, ...KeyOf<S>[]];
}

/** A list of objects that are told apart by some of their fields, each owned on its own under server-side apply. */
export function listMap<const S extends AnySchema, const O extends ListMapOptions<S>>(
  items: S,
  options: O,
): ListSchema<S, O> {
  const { keys, ...others }: ListMapOptions<S> = options ?? {};
  if (!Array.isArray(keys) || !keys.every((key) => typeof key === 'string')) {
    throw new DefinitionError('list cannot be defined: its keys are no list of names', {
      hint: "write the fields that tell its items apart: s.listMap(s.object({ name: s.string() }), { keys: ['name'] })",
    });
  }
  return list(
    items,
    { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [...keys] },
    others,
  ) as ListSchema<S, O>;
}

function list<S extends AnySchema, O extends ListOptions<S>>(
  items: S,
  extensions: StructuralSchema,
  given?: O,
): ListSchema<S, O> {
  const options: ListOptions<S> = given ?? {};
  return new Schema(
    {
      type: 'array',
      items: structuralOf(items, 'list'),
      ...picked(options, 'minItems', 'maxItems'),
      ...extensions,
      ...commonPart(options),
    },
    presenceOf(options),
  ) as ListSchema<S, O>;
}
