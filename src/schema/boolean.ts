import { type CommonOptions, commonPart, type Nullable, type PresenceOf, picked, presenceOf } from './options.js';
import { Schema } from './schema.js';

/** What `s.boolean` may say of a value. */
export interface BooleanOptions extends CommonOptions {
  readonly default?: boolean;
}

type BooleanSchema<O> = Schema<Nullable<boolean, O>, Nullable<boolean, O>, PresenceOf<O>>;

/**
 * True or false. Where a third answer may come one day the API conventions of Kubernetes advise an `enum`:
 * https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#primitive-types
 */
export function boolean<const O extends BooleanOptions = object>(given?: O): BooleanSchema<O> {
  const options: BooleanOptions = given ?? {};
  return new Schema(
    { type: 'boolean', ...picked<CommonOptions, never>(options), ...commonPart(options) },
    presenceOf(options),
  ) as BooleanSchema<O>;
}
