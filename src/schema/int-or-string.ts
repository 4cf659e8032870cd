import { type CommonOptions, commonPart, type Nullable, type PresenceOf, picked, presenceOf } from './options.js';
import { Schema } from './schema.js';

/** What `s.intOrString` may say of a value. */
export interface IntOrStringOptions extends CommonOptions {
  readonly default?: number | string;
  /** For numbers alone. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** For strings alone, in Unicode characters. */
  readonly maxLength?: number;
  /** For strings alone: a regular expression of Go (RE2), which matches anywhere unless anchored. */
  readonly pattern?: string;
}

type IntOrStringSchema<O> = Schema<Nullable<number | string, O>, Nullable<number | string, O>, PresenceOf<O>>;

/** A whole number or a string, such as a port or its name, or `25%`. */
export function intOrString<const O extends IntOrStringOptions = object>(given?: O): IntOrStringSchema<O> {
  const options: IntOrStringOptions = given ?? {};
  const limits = picked(options, 'minimum', 'maximum', 'maxLength', 'pattern');
  return new Schema(
    { 'x-kubernetes-int-or-string': true, ...limits, ...commonPart(options) },
    presenceOf(options),
  ) as IntOrStringSchema<O>;
}

/** What `s.quantity` may say of an amount. */
export interface QuantityOptions extends CommonOptions {
  readonly default?: number | string;
  /** Of an amount that is written as text, in characters. */
  readonly maxLength?: number;
}

const quantityPattern =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';

/**
 * An amount of something, such as `500m`, `2Gi` or a plain number. It is stored as it was written, so that `1` and `1000m` are
 * equal amounts and not equal texts. https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
export function quantity<const O extends QuantityOptions = object>(given?: O): IntOrStringSchema<O> {
  const options: QuantityOptions = given ?? {};
  // Its pattern is its own, and it has no limits: an amount is no number.
  picked(options, 'maxLength');
  return intOrString({ ...options, pattern: quantityPattern }) as IntOrStringSchema<O>;
}
