import { DefinitionError } from '../kube/errors.js';
import { isMap } from '../kube/plain-map.js';
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
import { type AnySchema, isSchema, Schema } from './schema.js';

/** The fields of an object, by name. */
export type Fields = Readonly<Record<string, AnySchema>>;

type Presences<F extends Fields, P> = {
  readonly [K in keyof F]-?: PresenceIn<F, K> extends infer Q ? (Q extends P ? K : never) : never;
}[keyof F];

/** A field that is spread into the others under a condition may be missing altogether, whatever it says itself. */
type PresenceIn<F extends Fields, K extends keyof F> =
  object extends Pick<F, K> ? 'optional' : F[K] extends { readonly presence: infer Q } ? Q : never;

/** Written out as one plain object type, so that an editor shows the fields rather than how they were computed. */
type Plain<T> = T extends infer U ? { readonly [K in keyof U]: U[K] } : never;

/** What a user writes: only required fields have to be there. */
export type ObjectIn<F extends Fields> = Plain<
  { readonly [K in Presences<F, 'required'>]: Types<F[K]>['in'] } & {
    readonly [K in Presences<F, 'optional' | 'defaulted'>]?: Types<F[K]>['in'];
  }
>;

/** What the server stores: only optional fields may be missing. */
export type ObjectOut<F extends Fields> = Plain<
  { readonly [K in Presences<F, 'required' | 'defaulted'>]: Types<F[K]>['out'] } & {
    readonly [K in Presences<F, 'optional'>]?: Types<F[K]>['out'];
  }
>;

/** What `s.object` may say of an object, beside its fields. */
export interface ObjectOptions<F extends Fields> extends CommonOptions {
  /** `{}` is the way to have the defaults of the fields below filled in when the whole object is absent. */
  readonly default?: ObjectIn<F>;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  /** True lets server-side apply own the object as a whole, instead of field by field. */
  readonly atomic?: boolean;
}

type ObjectSchema<F extends Fields, O> = Schema<Nullable<ObjectIn<F>, O>, Nullable<ObjectOut<F>, O>, PresenceOf<O>>;

/**
 * An object with the given fields and no others: what else a user writes is refused or dropped, as the request asked for
 * (https://kubernetes.io/docs/reference/using-api/api-concepts/#field-validation). For keys of the user's choice there is `map`.
 */
export function object<const F extends Fields, const O extends ObjectOptions<F> = object>(
  fields: F,
  given?: O,
): ObjectSchema<F, O> {
  const { atomic, ...options }: ObjectOptions<F> = given ?? {};
  refuseOther('boolean', { atomic });
  if (!isMap(fields)) {
    throw new DefinitionError('object schema cannot be defined: it has no fields', {
      hint: 'write s.object({ size: s.int32() }); for any keys there is s.map, and for none s.object({})',
    });
  }
  for (const [name, field] of Object.entries(fields as Readonly<Record<string, unknown>>)) {
    if (isSchema(field)) continue;
    throw new DefinitionError(`object schema cannot be defined: its field "${name}" is no schema`, {
      hint: `write what it holds, as in ${name}: s.string()`,
    });
  }
  const required = Object.keys(fields).filter((name) => fields[name]!.presence === 'required');
  const properties = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.structural()]));
  return new Schema(
    {
      type: 'object',
      ...(Object.keys(properties).length === 0 ? {} : { properties }),
      ...(required.length === 0 ? {} : { required }),
      ...picked(options, 'minProperties', 'maxProperties'),
      ...(atomic ? { 'x-kubernetes-map-type': 'atomic' as const } : {}),
      ...commonPart(options),
    },
    presenceOf(options),
  ) as ObjectSchema<F, O>;
}
