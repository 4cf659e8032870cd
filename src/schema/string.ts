import type { StringFormat } from './formats.js';
import {
  type CommonOptions,
  commonPart,
  type Nullable,
  type Of,
  type PresenceOf,
  picked,
  presenceOf,
} from './options.js';
import { Schema } from './schema.js';

export interface StringOptions extends CommonOptions {
  readonly default?: string;
  /** In Unicode characters, not bytes. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** A regular expression of Go (RE2): no look-around and no back-references. Matches anywhere, unless anchored. */
  readonly pattern?: string;
  readonly format?: StringFormat;
}

export function string<const O extends StringOptions = object>(given?: O): Of<string, O> {
  const options: StringOptions = given ?? {};
  const limits = picked(options, 'format', 'minLength', 'maxLength', 'pattern');
  return new Schema({ type: 'string', ...limits, ...commonPart(options) }, presenceOf(options)) as Of<string, O>;
}

export interface EnumOptions<V extends string> extends CommonOptions {
  readonly default?: V;
  /** The server refuses null in an enum whatever the schema says. */
  readonly nullable?: never;
}

/** One of the given strings. */
export function enumOf<const V extends string, const O extends EnumOptions<V> = object>(
  values: readonly V[],
  given?: O,
): Schema<Nullable<V, O>, Nullable<V, O>, PresenceOf<O>> {
  const options: EnumOptions<V> = given ?? {};
  return new Schema(
    { type: 'string', enum: [...values], ...picked<CommonOptions, never>(options), ...commonPart(options) },
    presenceOf(options),
  ) as never;
}
