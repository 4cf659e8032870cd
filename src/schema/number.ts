import { DefinitionError } from '../kube/errors.js';
import { type CommonOptions, commonPart, type Nullable, type PresenceOf, picked, presenceOf } from './options.js';
import { Schema } from './schema.js';

/** What `s.int32`, `s.int64` and `s.number` may say of a number. Limits are inclusive, and none if not given. */
export interface NumberOptions extends CommonOptions {
  readonly default?: number;
  readonly minimum?: number;
  /** True leaves `minimum` itself out. */
  readonly exclusiveMinimum?: boolean;
  readonly maximum?: number;
  /** True leaves `maximum` itself out. */
  readonly exclusiveMaximum?: boolean;
  /** A good value divided by this leaves nothing. */
  readonly multipleOf?: number;
  /** The only good values. */
  readonly enum?: readonly number[];
}

type NumberSchema<O> = Schema<Nullable<number, O>, Nullable<number, O>, PresenceOf<O>>;

/** A whole number of 32 bits: what Kubernetes uses for counts and ports. */
export function int32<const O extends NumberOptions = object>(options?: O): NumberSchema<O> {
  return numeric('integer', 'int32', options);
}

/**
 * A whole number that a JavaScript number holds exactly: of 64 bits on the wire, and between -2^53 and 2^53. The server
 * refuses what is beyond, of which this process would see another number.
 */
export function int64<const O extends NumberOptions = object>(given?: O): NumberSchema<O> {
  const options: NumberOptions = given ?? {};
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = options;
  return numeric('integer', 'int64', {
    ...options,
    // What says to leave a limit out has to name one.
    ...(options.exclusiveMinimum ? {} : { minimum }),
    ...(options.exclusiveMaximum ? {} : { maximum }),
  }) as NumberSchema<O>;
}

/** A floating-point number of 64 bits. The API conventions of Kubernetes advise against it; see `quantity`. */
export function number<const O extends NumberOptions = object>(options?: O): NumberSchema<O> {
  return numeric('number', 'double', options);
}

function numeric<O extends NumberOptions>(type: 'integer' | 'number', format: string, given?: O): NumberSchema<O> {
  const options: NumberOptions = given ?? {};
  const choices: unknown = options.enum === undefined ? [] : options.enum;
  if (!Array.isArray(choices) || !choices.every((choice) => typeof choice === 'number')) {
    throw new DefinitionError('number cannot be defined: its enum is no list of numbers', {
      hint: 'write enum: [1, 2, 4]',
    });
  }
  const limits = picked(options, 'minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum', 'multipleOf', 'enum');
  return new Schema({ type, format, ...limits, ...commonPart(options) }, presenceOf(options)) as NumberSchema<O>;
}
