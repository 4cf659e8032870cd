import { type CommonOptions, commonPart, type Of, picked, presenceOf } from './options.js';
import { Schema } from './schema.js';

export interface IntOrStringOptions extends CommonOptions {
  readonly default?: number | string;
  /** For numbers alone. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** For strings alone. */
  readonly maxLength?: number;
  readonly pattern?: string;
}

/** A whole number or a string, such as a port or its name, or `25%`. */
export function intOrString<const O extends IntOrStringOptions = object>(given?: O): Of<number | string, O> {
  const options: IntOrStringOptions = given ?? {};
  const limits = picked(options, 'minimum', 'maximum', 'maxLength', 'pattern');
  return new Schema(
    { 'x-kubernetes-int-or-string': true, ...limits, ...commonPart(options) },
    presenceOf(options),
  ) as Of<number | string, O>;
}

export interface QuantityOptions extends CommonOptions {
  readonly default?: number | string;
  readonly maxLength?: number;
}

const quantityPattern =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';

/** An amount of something, such as `500m` or `2Gi`. https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/ */
export function quantity<const O extends QuantityOptions = object>(given?: O): Of<number | string, O> {
  const options: QuantityOptions = given ?? {};
  return intOrString({ ...options, pattern: quantityPattern }) as Of<number | string, O>;
}
