import type { TypedObject } from '../resource/typed-object.js';

/**
 * `Rules`, where the compiler refuses a field that no object of the rule's kind has, and shows which part of it. What is no text
 * that is written out, and a kind whose type is not known, may be anything. In a map and in what may be anything everything may
 * be.
 */
export type KnownFields<Rules extends readonly unknown[]> = [Mistaken<Rules[number]>] extends [never]
  ? unknown
  : { readonly [Index in keyof Rules]: KnownField<Rules[Index]> };

/** Where there is none, nothing is asked: rules that are spread into a list with others would not be taken for what they are. */
type Mistaken<Rule> = Rule extends KnownField<Rule> ? never : Rule;

type KnownField<Rule> = Rule extends { readonly kind: infer Kind; readonly field: infer Field extends string }
  ? { readonly [Name in keyof Rule]: Name extends 'field' ? Checked<ObjectOf<Kind>, Field> : Rule[Name] }
  : Rule;

type ObjectOf<Kind> = Kind extends abstract new (...args: never[]) => TypedObject<infer T> ? T : unknown;

type Checked<T, Field extends string> = string extends Field
  ? Field
  : [Stranger<T, Field>] extends [never]
    ? Field
    : { readonly 'no object of the kind has': Stranger<T, Field> };

/** The first step of `Path` to what is not there; never where there is none. */
type Stranger<T, Path extends string> = Path extends ''
  ? never
  : Path extends `.${infer Rest}`
    ? Stranger<T, Rest>
    : Path extends `["${infer Name}"]${infer Rest}`
      ? Below<T, Name, Rest>
      : Path extends `['${infer Name}']${infer Rest}`
        ? Below<T, Name, Rest>
        : Path extends `[${string}]${infer Rest}`
          ? Stranger<Item<T>, Rest>
          : Path extends `*${infer Rest}`
            ? Stranger<Item<T>, Rest>
            : Path extends `${infer Head}.${infer Rest}`
              ? Head extends `${infer Name}[${infer Inner}`
                ? Below<T, Name, `[${Inner}.${Rest}`>
                : Below<T, Head, Rest>
              : Path extends `${infer Name}[${infer Inner}`
                ? Below<T, Name, `[${Inner}`>
                : Below<T, Path, ''>;

/** Of what may be a list or something else nothing is said. Below a list there are items, and below a text or a number nothing. */
type Below<T, Name extends string, Rest extends string> = unknown extends T
  ? never
  : [NonNullable<T>] extends [readonly unknown[] | string | number | boolean]
    ? Name
    : [Extract<T, readonly unknown[]>] extends [never]
      ? [NonNullable<T>] extends [object]
        ? Name extends keyof NonNullable<T>
          ? Stranger<NonNullable<T>[Name], Rest>
          : string extends keyof NonNullable<T>
            ? Stranger<NonNullable<T>[string & keyof NonNullable<T>], Rest>
            : Name
        : never
      : never;

type Item<T> = unknown extends T
  ? unknown
  : NonNullable<T> extends readonly (infer Each)[]
    ? Each
    : string extends keyof NonNullable<T>
      ? NonNullable<T>[string & keyof NonNullable<T>]
      : unknown;
