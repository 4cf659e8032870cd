import { DefinitionError } from '../kube/errors.js';
import { withDefaults } from './defaults.js';
import { checkDefinition } from './definition.js';
import type { FieldProblem } from './field-problem.js';
import { type StructuralSchema, withoutRequired } from './structural.js';
import { validate } from './validate.js';

/** Whether a user has to write a field, and whether it is there once the server has filled in defaults. */
export type Presence = 'required' | 'optional' | 'defaulted';

/** What a user writes under a schema, `In<typeof spec>`: fields that are optional or have a default may be left out. */
export type In<S extends AnySchema> = S extends { readonly types?: { readonly in: infer I } } ? I : never;

/** What `compose` sees of it, `Out<typeof spec>`, after the server's defaults: only optional fields may be missing. */
export type Out<S extends AnySchema> = S extends { readonly types?: { readonly out: infer O } } ? O : never;

/** Any schema, whatever it describes. */
export type AnySchema = Schema<unknown, unknown, Presence>;

/**
 * One value of an API: its types, and the structural schema that the API server enforces.
 *
 * **Guarantees.** What the API server would refuse in a CustomResourceDefinition throws a `DefinitionError` here, when
 * it is defined. `validate` gives the server's verdict in the server's words.
 */
export class Schema<I, O, P extends Presence = Presence> {
  /** Carries the types alone; there is no value. */
  declare readonly types?: { readonly in: I; readonly out: O; readonly presence: P };

  constructor(
    private readonly root: StructuralSchema,
    readonly presence: P,
  ) {
    checkDefinition(root);
  }

  /**
   * The JSON for `openAPIV3Schema`. `allOptional` leaves out every `minProperties`, and every `required` but those of
   * list-map keys: right for a status, of which the server must accept any part.
   */
  structural({ allOptional = false }: { readonly allOptional?: boolean } = {}): StructuralSchema {
    return allOptional ? withoutRequired(this.root) : this.root;
  }

  /**
   * What the API server would say about `value`; an empty list when it would take it. `path` is where the value stands
   * in its object (`spec`), `old` what it replaces, as it is stored: rules about `oldSelf` run only on an update, and what an update
   * leaves as it was is not held against it.
   */
  validate(value: unknown, path = '', old?: unknown): FieldProblem[] {
    return validate(this.root, value, { path, old });
  }

  /** `value` with the server's defaults filled in. */
  withDefaults(value: I): O {
    return withDefaults(this.root, value) as O;
  }
}

/** The structural schema of `part`, which `whole` is made of. Throws `DefinitionError` for what is no schema: `s.string` without `()`. */
export function structuralOf(part: AnySchema, whole: string): StructuralSchema {
  if (isSchema(part)) return part.structural();
  throw new DefinitionError(`${whole} cannot be defined: what it holds is no schema`, {
    hint: 'write what it holds, as in s.string()',
  });
}

/** True for what `s` gives, also where another copy of this package gave it. */
export function isSchema(value: unknown): value is AnySchema {
  return typeof (value as Partial<AnySchema> | undefined | null)?.structural === 'function';
}
