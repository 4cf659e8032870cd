import type { ApiResource } from '../kube/api-resource.js';
import type { KubeObject, ManifestMetadata } from '../kube/manifest.js';
import type { Observed, TypedObject } from '../resource/typed-object.js';

/** Which object is read. */
export interface One {
  /** Absent: that of the custom resource. One that is in no namespace has to say it, unless the kind is in none either. */
  readonly namespace?: string;
  readonly name: string;
}

/** Which objects are read. */
export interface Many {
  /** Absent: that of the custom resource; of one that is in no namespace, all. */
  readonly namespace?: string;
  /** Objects that have all of these, with these values. */
  readonly labels: Readonly<Record<string, string>>;
}

/** What is selected, or nothing, as by an optional field: `(cr) => cr.spec.page && { name: cr.spec.page }`. */
export type Optional<Selected> = Selected | '' | undefined;

/** An input from the cluster. The controller watches it, and queues a custom resource when what it reads changes. */
export type Read<C = never> =
  | {
      readonly type: 'one';
      readonly resource: ApiResource;
      readonly isRequired?: boolean;
      select(cr: C): Optional<One>;
    }
  | { readonly type: 'many'; readonly resource: ApiResource; select(cr: C): Optional<Many> };

/** A read with the type of what it gives, which is known to the compiler alone. */
export type TypedRead<Input, C> = Read<C> & { readonly input?: Input };

/** A typed construct class, of `imports/` or by `customResource`, of which objects are read. */
type ReadClass<T> = ApiResource & (abstract new (...args: never) => TypedObject<T>);

/**
 * Reads one object. `compose` and `status` get it, or undefined while it does not exist, or where the custom
 * resource names none.
 *
 * With `required`, a custom resource that names one is not Ready as long as there is none, and says which object it waits
 * for. It is composed all the same: what it is without its input is the author's to say.
 */
export function one<T, C>(
  resource: ReadClass<T>,
  select: (cr: C) => Optional<One>,
  { required = false }: { readonly required?: boolean } = {},
): TypedRead<Observed<T> | undefined, C> {
  return { type: 'one', resource, select, ...(required ? { isRequired: true } : {}) };
}

/**
 * Reads all objects with certain labels. `compose` and `status` get them in the order of their names, and none where the custom
 * resource names none. What a test or a chart hands in stays in its order.
 */
export function many<T, C>(
  resource: ReadClass<T>,
  select: (cr: C) => Optional<Many>,
): TypedRead<readonly Observed<T>[], C> {
  return { type: 'many', resource, select };
}

/** What the reads of an operator gave, by their names. */
export type Inputs = Readonly<Record<string, KubeObject | undefined | readonly KubeObject[]>>;

/** What the reads of an operator give, by their names. */
export type InputsOf<R> = { readonly [Name in keyof R]: R[Name] extends TypedRead<infer Input, never> ? Input : never };

/** What a test or a chart says that the reads gave, by their names: of each object as much as somebody looks at. */
export type GivenTo<R> = { readonly [Name in keyof R]?: Given<InputsOf<R>[Name]> | undefined };

type Given<Input> = Input extends readonly (infer Item)[]
  ? readonly Given<Item>[]
  : Input extends KubeObject
    ? { readonly [Field in keyof Input as AuthorsField<Field>]: Input[Field] } & {
        readonly apiVersion?: string;
        readonly kind?: string;
        readonly metadata: ManifestMetadata;
      }
    : Input;

/** A field that is neither every object's nor any text. */
type AuthorsField<Field> = string extends Field ? never : Exclude<Field, 'apiVersion' | 'kind' | 'metadata'>;

/** What was given, with its kind where it does not say it. */
export function withKinds(
  given: Readonly<Record<string, unknown>>,
  reads: Readonly<Record<string, Read>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(given).map(([name, input]) => {
      const resource = reads[name]?.resource;
      if (!resource || typeof input !== 'object' || input === null) return [name, input];
      const { apiVersion, kind } = resource;
      return [
        name,
        Array.isArray(input) ? input.map((one) => ({ apiVersion, kind, ...one })) : { apiVersion, kind, ...input },
      ];
    }),
  );
}

/** Before anything was read, `one` gives nothing and `many` an empty list. */
export function nothingRead(reads: Readonly<Record<string, Read>>): Inputs {
  return Object.fromEntries(Object.entries(reads).map(([name, { type }]) => [name, type === 'many' ? [] : undefined]));
}
