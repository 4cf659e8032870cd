/**
 * A shape of `imports/k8s.ts` before anybody has judged it: any field may be absent, any string may stand where only a
 * few make sense, and all of it may be filled in.
 */
export type Unchecked<T> = T extends string
  ? string
  : T extends number | boolean | undefined | null
    ? T
    : T extends readonly (infer Item)[]
      ? Unchecked<Item>[]
      : T extends object
        ? { -readonly [Key in keyof T]?: Unchecked<T[Key]> | undefined }
        : T;

/** An object as one of a kind, which rules know it to be. */
export function unchecked<T>(object: object): Unchecked<T> {
  return object as Unchecked<T>;
}
