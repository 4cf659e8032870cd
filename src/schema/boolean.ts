import { type CommonOptions, commonPart, type Of, picked, presenceOf } from './options.js';
import { Schema } from './schema.js';

export interface BooleanOptions extends CommonOptions {
  readonly default?: boolean;
}

export function boolean<const O extends BooleanOptions = object>(given?: O): Of<boolean, O> {
  const options: BooleanOptions = given ?? {};
  return new Schema(
    { type: 'boolean', ...picked<CommonOptions, never>(options), ...commonPart(options) },
    presenceOf(options),
  ) as Of<boolean, O>;
}
