import {
  type CommonOptions,
  commonPart,
  type Nullable,
  type PresenceOf,
  picked,
  presenceOf,
  refuseOther,
  type Types,
} from './options.js';
import { type AnySchema, Schema, structuralOf } from './schema.js';

/** What `s.map` may say of a map, beside its values. */
export interface MapOptions<S extends AnySchema> extends CommonOptions {
  readonly default?: Readonly<Record<string, Types<S>['in']>>;
  readonly minProperties?: number;
  /** Also what keeps the cost of CEL rules on the values within the server's budget. */
  readonly maxProperties?: number;
  /** True lets server-side apply own the map as a whole, instead of key by key. */
  readonly atomic?: boolean;
}

type MapSchema<S extends AnySchema, O> = Schema<
  Nullable<Readonly<Record<string, Types<S>['in']>>, O>,
  Nullable<Readonly<Record<string, Types<S>['out']>>, O>,
  PresenceOf<O>
>;

/**
 * Values of one kind under keys that the user chooses: labels, settings. Under server-side apply each key has its own owner,
 * unless the map is `atomic`: https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy
 */
export function map<const S extends AnySchema, const O extends MapOptions<S> = object>(
  values: S,
  given?: O,
): MapSchema<S, O> {
  const { atomic, ...options }: MapOptions<S> = given ?? {};
  refuseOther('boolean', { atomic });
  return new Schema(
    {
      type: 'object',
      additionalProperties: structuralOf(values, 'map'),
      ...picked(options, 'minProperties', 'maxProperties'),
      ...(atomic ? { 'x-kubernetes-map-type': 'atomic' as const } : {}),
      ...commonPart(options),
    },
    presenceOf(options),
  ) as MapSchema<S, O>;
}
