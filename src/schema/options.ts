import { DefinitionError } from '../kube/errors.js';
import type { Json } from '../kube/manifest.js';
import { isMap } from '../kube/plain-map.js';
import type { AnySchema, Presence } from './schema.js';
import type { StructuralSchema, ValidationRule } from './structural.js';

/** What any schema may say, whatever it describes. */
export interface CommonOptions {
  /** What the field is for. Shown by `kubectl explain` and in the reference docs. */
  readonly description?: string;
  /**
   * What the server fills in when the field is absent, also in objects that are stored without it:
   * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#defaulting
   */
  readonly default?: unknown;
  /** True lets a user leave the field out. A field with a default may always be left out. */
  readonly optional?: boolean;
  /** True allows an explicit null. Without it the server drops a null, and then fills in the default, if any. */
  readonly nullable?: boolean;
  /** CEL rules that a good value satisfies; `self` is the value. */
  readonly rules?: readonly ValidationRule[];
}

const common: Readonly<Record<keyof CommonOptions, true>> = {
  description: true,
  default: true,
  optional: true,
  nullable: true,
  rules: true,
};

/** What options `O` say under a name. What is true in some runs alone is true to the types. */
type Said<O, Name extends string> = Name extends keyof O ? O[Name] : undefined;

/** Whether a field with options `O` is there: by its default, by its `optional`, or because it has to be. */
export type PresenceOf<O> = O extends { readonly default: unknown }
  ? 'defaulted'
  : true extends Said<O, 'optional'>
    ? 'optional'
    : 'required';

/** A value of type `T`, or null where the options allow it. */
export type Nullable<T, O> = true extends Said<O, 'nullable'> ? T | null : T;

export function presenceOf({ default: value, optional }: CommonOptions): Presence {
  if (value !== undefined) return 'defaulted';
  return optional ? 'optional' : 'required';
}

/** The part of a structural schema that the common options make. */
export function commonPart(options: CommonOptions): StructuralSchema {
  return {
    ...(options.description === undefined ? {} : { description: options.description }),
    ...(options.default === undefined ? {} : { default: options.default as Json }),
    ...(options.nullable ? { nullable: true } : {}),
    ...(options.rules === undefined || options.rules.length === 0
      ? {}
      : { 'x-kubernetes-validations': options.rules.map((rule) => ({ ...rule })) }),
  };
}

/**
 * `options` with only the named keys that are set: undefined is never written into a schema.
 *
 * Throws `DefinitionError` for a key that is neither among them nor common to all, which would otherwise say nothing: a compiler
 * lets a misspelt one pass beside others.
 */
export function picked<O extends object, K extends keyof O>(options: O, ...keys: readonly K[]): Partial<Pick<O, K>> {
  const known: readonly PropertyKey[] = [...keys, ...Object.keys(common)];
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    throw new DefinitionError(`schema cannot be defined: there is no option ${JSON.stringify(unknown)} for it`, {
      hint: `write one of ${known.join(', ')}`,
    });
  }
  const { description, optional, nullable, rules } = options as CommonOptions;
  refuseOther('string', { description });
  refuseOther('boolean', { optional, nullable });
  refuseMisshapenRules(rules);
  return Object.fromEntries(
    keys.filter((key) => options[key] !== undefined).map((key) => [key, options[key]]),
  ) as Partial<Pick<O, K>>;
}

/** Throws `DefinitionError` for an option that is there and of another type: `'false'` is true to JavaScript. */
export function refuseOther(type: 'boolean' | 'string', options: Readonly<Record<string, unknown>>): void {
  const wrong = Object.entries(options).find(([, said]) => said !== undefined && typeof said !== type);
  if (wrong === undefined) return;
  const what = type === 'string' ? 'text' : 'boolean';
  throw new DefinitionError(`schema cannot be defined: its ${wrong[0]} is no ${what}`);
}

const ofRule: Readonly<Record<keyof ValidationRule, 'string' | 'boolean'>> = {
  rule: 'string',
  message: 'string',
  messageExpression: 'string',
  reason: 'string',
  fieldPath: 'string',
  optionalOldSelf: 'boolean',
};

function refuseMisshapenRules(rules: unknown): void {
  if (
    rules !== undefined &&
    !(Array.isArray(rules) && rules.every((rule) => isMap(rule) && typeof rule['rule'] === 'string'))
  ) {
    throw new DefinitionError('schema cannot be defined: its rules are no list of rules', {
      hint: "write rules: [{ rule: 'self.min <= self.max', message: '…' }]",
    });
  }
  for (const [name, said] of (rules ?? []).flatMap((rule) => Object.entries(rule))) {
    const type = Object.hasOwn(ofRule, name) ? ofRule[name as keyof ValidationRule] : undefined;
    if (type === undefined) {
      throw new DefinitionError(`schema cannot be defined: its rules say "${name}", which means nothing`, {
        hint: `write one of ${Object.keys(ofRule).join(', ')}`,
      });
    }
    if (said !== undefined && typeof said !== type) {
      const what = type === 'string' ? 'text' : 'boolean';
      throw new DefinitionError(`schema cannot be defined: the ${name} of its rules is no ${what}`);
    }
  }
}

/** The type that a user writes under schema `S`, and the type that is stored. */
export type Types<S extends AnySchema> = S extends {
  readonly types?: { readonly in: infer I; readonly out: infer O };
}
  ? { readonly in: I; readonly out: O }
  : never;
