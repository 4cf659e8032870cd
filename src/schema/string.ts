import { DefinitionError } from '../kube/errors.js';
import type { StringFormat } from './formats.js';
import { type CommonOptions, commonPart, type Nullable, type PresenceOf, picked, presenceOf } from './options.js';
import { Schema } from './schema.js';

/** What `s.string` may say of a text. */
export interface StringOptions extends CommonOptions {
  readonly default?: string;
  /** In Unicode characters, not bytes. A required text may be empty unless this is 1 or more. */
  readonly minLength?: number;
  /** In Unicode characters, too. Also what keeps the cost of CEL rules on the text within the server's budget. */
  readonly maxLength?: number;
  /** A regular expression of Go (RE2): no look-around and no back-references. Matches anywhere, unless anchored. */
  readonly pattern?: string;
  /**
   * A form that the server checks, such as `date-time` (RFC 3339) or `uri`:
   * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation
   */
  readonly format?: StringFormat;
}

type StringSchema<O> = Schema<Nullable<string, O>, Nullable<string, O>, PresenceOf<O>>;

/** A text. For one of a few words there is `enum`, and for amounts such as `500m` there is `quantity`. */
export function string<const O extends StringOptions = object>(given?: O): StringSchema<O> {
  const options: StringOptions = given ?? {};
  const limits = picked(options, 'format', 'minLength', 'maxLength', 'pattern');
  return new Schema({ type: 'string', ...limits, ...commonPart(options) }, presenceOf(options)) as StringSchema<O>;
}

/** What `s.enum` may say of its values. */
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
  if (!Array.isArray(values) || !values.every((value) => typeof value === 'string')) {
    throw new DefinitionError('enum cannot be defined: its values are no list of texts', {
      hint: "write s.enum(['small', 'large'])",
    });
  }
  const options: EnumOptions<V> = given ?? {};
  return new Schema(
    { type: 'string', enum: [...values], ...picked<CommonOptions, never>(options), ...commonPart(options) },
    presenceOf(options),
  ) as never;
}
