import type { Json } from '../../kube/manifest.js';
import { badRequest, type StatusError } from '../status-error.js';
import type { ApiField, ApiType } from './api-type.js';

/** One field that is being decoded, and the struct that declares it. */
export interface Place {
  readonly field: ApiField;
  readonly struct: ApiType;
}

/**
 * What a decoder of Go's `encoding/json` knows of where it is and of what went wrong, so that what is wrong is told in
 * the server's words.
 *
 * Of values of a wrong type the first counts, and decoding goes on; a type that decodes itself, such as a quantity, ends
 * it at once.
 */
export class Decoding {
  readonly #path: (Place | number | string)[] = [];
  /** What only strict field validation refuses: at most a hundred, as the server has them. */
  readonly strict: string[] = [];
  #first: WrongType | string | undefined;

  /**
   * `converts`: this is not JSON that is decoded, but an object without a type that is converted, which differs in what
   * fits: large numbers are cut, and bytes may be numbers.
   */
  constructor(readonly converts = false) {}

  enter(step: Place | number | string): void {
    this.#path.push(step);
  }

  leave(): void {
    this.#path.pop();
  }

  unknown(name: string, quote: (text: string) => string): void {
    if (this.strict.length >= mostStrict && !this.converts) return;
    let path = '';
    for (const step of this.#path) {
      if (typeof step === 'number') path += `[${step}]`;
      else path += `${path === '' ? '' : '.'}${typeof step === 'string' ? step : step.field.name}`;
    }
    const field = path === '' ? name : `${path}.${name}`;
    this.strict.push(`unknown field ${this.converts ? `"${field}"` : quote(field)}`);
  }

  /** `found` is how Go calls the value: `string`, `number 1.5`. */
  wrongType(found: string, wanted: string): void {
    this.#first ??= this.#inContext({ found, wanted, struct: '', fields: [] });
  }

  wrong(message: string): void {
    this.#first ??= message;
  }

  /** Ends decoding: what a type that decodes itself finds wrong. */
  stop(reason: string | Pick<WrongType, 'found' | 'wanted'> | WrongType): never {
    if (typeof reason === 'string') throw new DecodingStopped(reason);
    throw new DecodingStopped(this.#inContext({ struct: '', fields: [], ...reason }));
  }

  /** Of a type that decodes itself with a decoding of its own. */
  within<T>(decode: (inner: Decoding) => T): T {
    const { value, reason } = new Decoding().#of(decode);
    if (reason !== undefined) this.stop(reason);
    return value as T;
  }

  /** What a type that decodes itself has to say of a value, or undefined when it has nothing to say. */
  static fault(decode: (decoding: Decoding) => unknown): string | undefined {
    const { reason } = new Decoding().#of(decode);
    return reason === undefined ? undefined : shown(reason);
  }

  /** What `decode` gives of an object that is converted, and whether that is all of it. */
  static converted<T>(decode: (decoding: Decoding) => T): { value?: T; isWhole: boolean; strict: readonly string[] } {
    const decoding = new Decoding(true);
    const { value, reason } = decoding.#of(decode);
    const found = { isWhole: reason === undefined, strict: decoding.strict.sort() };
    return value === undefined ? found : { value, ...found };
  }

  #of<T>(decode: (decoding: Decoding) => T): { readonly value?: T; readonly reason?: WrongType | string } {
    const { value, reason = this.#first } = stoppable(() => decode(this));
    return { ...(value !== undefined && { value }), ...(reason !== undefined && { reason }) };
  }

  #inContext(reason: WrongType): WrongType {
    const places = this.#path.filter((step) => typeof step === 'object');
    const last = places.at(-1);
    if (last === undefined) return reason;
    const struct = last.struct.name.slice(last.struct.name.lastIndexOf('.') + 1);
    return {
      ...reason,
      struct,
      fields: [...places.flatMap(({ field }) => [...(field.in ?? []), field.name]), ...reason.fields],
    };
  }

  /** What `decode` gives, or the refusal of a body that is no object of `kind`. */
  static whole<T>(
    kind: { readonly kind: string; readonly version: string },
    decode: (decoding: Decoding) => T,
  ): { readonly value: T; readonly strict: readonly string[] } {
    const decoding = new Decoding();
    const { value, reason } = decoding.#of(decode);
    if (reason !== undefined) throw cannotBeHandled(kind, reason);
    return { value: value as T, strict: decoding.strict };
  }
}

/** The server tells no more of what is unknown in one text. */
export const mostStrict = 100;

/** A value of another type than the Go type it is decoded into. */
interface WrongType {
  readonly found: string;
  readonly wanted: string;
  readonly struct: string;
  readonly fields: readonly string[];
}

class DecodingStopped extends Error {
  constructor(readonly reason: WrongType | string) {
    super();
  }
}

function stoppable<T>(decode: () => T): { readonly value?: T; readonly reason?: WrongType | string } {
  try {
    return { value: decode() };
  } catch (error) {
    if (error instanceof DecodingStopped) return { reason: error.reason };
    throw error;
  }
}

function cannotBeHandled(
  { kind, version }: { readonly kind: string; readonly version: string },
  reason: WrongType | string,
): StatusError {
  return badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${shown(reason)}`);
}

function shown(reason: WrongType | string): string {
  if (typeof reason === 'string') return reason;
  const { found, wanted, struct, fields } = reason;
  const into = struct === '' ? 'value' : `struct field ${struct}.${fields.join('.')}`;
  return `json: cannot unmarshal ${found} into Go ${into} of type ${wanted}`;
}

/** How Go calls a value that does not fit; `withLiteral` where it is a number and a number was wanted. */
export function goValue(value: Json, withLiteral = false): string {
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
      return withLiteral ? `number ${value}` : 'number';
    default:
      return 'object';
  }
}
