import type { Json } from '../../kube/manifest.js';
import type { Draft } from '../draft.js';
import type { FieldType } from '../fields/field-type.js';
import type { Shape } from '../kinds/served-kind.js';
import type { PatchType } from '../patch/patch-type.js';
import { saysMore } from '../said-more.js';
import { type ApiType, apiType, kindRecords } from './api-type.js';
import { ConversionError, conversionFault } from './conversion-fault.js';
import { decoderOf } from './decoder.js';
import { Decoding } from './decoding.js';
import { emptyValue } from './empty-value.js';
import { fieldTypeOf } from './field-type-of.js';
import { patchTypeOf } from './patch-type-of.js';
import { settlerOf } from './settle.js';

/** The shape of a built-in kind. Nothing of it is made before it is used. */
export class BuiltInShape implements Shape {
  readonly #type: ApiType;
  #bytes: readonly string[] | undefined;
  #empty: Json | undefined;

  constructor(
    readonly apiVersion: string,
    readonly kind: string,
    type: number,
  ) {
    this.#type = apiType(type);
  }

  /**
   * Reads a body as Go reads it into the type of the kind, and writes it as Go does.
   *
   * **Beware**: a body was parsed before it comes here. Of fields that stood there twice the last is left, and of numbers
   * what JavaScript makes of them: `1.0` is taken for the integer that it is.
   */
  decode(body: { readonly [field: string]: Json }): { readonly object: Draft; readonly strict: readonly string[] } {
    const { apiVersion, kind } = this;
    const about = { kind, version: apiVersion.slice(apiVersion.indexOf('/') + 1) };
    const { value, strict } = Decoding.whole(about, (decoding) => decoderOf(this.#type).decode(body, decoding));
    return { object: this.#object(value), strict };
  }

  convert(merged: { readonly [field: string]: Json }): { readonly object: Draft; readonly strict: readonly string[] } {
    const decode = (decoding: Decoding) => decoderOf(this.#type).decode(merged, decoding);
    const { value, isWhole, strict } = Decoding.converted(decode);
    if (!isWhole) throw new ConversionError(conversionFault(merged, this.#type));
    return { object: this.#object(value), strict };
  }

  #object(value: Json | undefined): Draft {
    const object = value as unknown as Draft;
    object.apiVersion = this.apiVersion;
    object.kind = this.kind;
    object.metadata ??= {};
    return object;
  }

  /** Makes of an object what the server's store makes of it, in place: an empty list that is never left out is none. */
  settle(object: Draft): void {
    settlerOf(this.#type)?.(object as unknown as Json);
  }

  /** Bytes that were said to be null: the server stores that there are none, and shows that they are empty. */
  kept(object: Draft): Draft {
    this.#bytes ??= bytesByName(this.#type);
    const more = this.#bytes.filter((field) => saysMore(object[field]));
    return more.length === 0 ? object : { ...object, ...Object.fromEntries(more.map((field) => [field, null])) };
  }

  get empty(): Json {
    const { apiVersion, kind } = this;
    this.#empty ??= { ...(emptyValue(this.#type) as { readonly [field: string]: Json }), apiVersion, kind };
    return this.#empty;
  }

  get fieldType(): FieldType {
    return fieldTypeOf(this.#type);
  }

  get patchType(): PatchType {
    return patchTypeOf(this.#type);
  }
}

/** The fields that hold bytes by name, as a Secret's `data`. */
function bytesByName({ fields }: ApiType): readonly string[] {
  return fields.filter(({ type }) => type.kind === 'map' && type.elem?.kind === 'bytes').map(({ name }) => name);
}

const shapes = new Map<string, BuiltInShape>();

/**
 * The shape of any built-in kind, also of those that are only ever posted and never kept, such as `TokenReview`, `Scale`
 * and `Eviction`. Undefined for a kind that is not built in.
 */
export function shapeOf(apiVersion: string, kind: string): Shape | undefined {
  const key = `${apiVersion} ${kind}`;
  const known = shapes.get(key);
  if (known) return known;
  for (const record of kindRecords()) {
    for (const each of [record, ...record.subresources]) {
      const itsVersion = each.apiVersion ?? record.apiVersion;
      if (itsVersion !== apiVersion || each.kind !== kind) continue;
      const shape = new BuiltInShape(apiVersion, kind, each.type);
      shapes.set(key, shape);
      return shape;
    }
  }
  return undefined;
}
