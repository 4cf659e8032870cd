import type { Json } from '../../kube/manifest.js';
import { isMap } from '../../kube/plain-map.js';
import { goQuote } from '../../schema/go-format.js';
import { sayMore } from '../said-more.js';
import type { ApiField, ApiType } from './api-type.js';
import { type Decoding, goValue, type Place } from './decoding.js';
import { setOwn } from './json-copy.js';
import { type Decode, leafDecoder } from './leaf-decoder.js';

/**
 * How values of a type are decoded and written back, which is what the server does with every body: unknown fields are
 * dropped, and of the others those that are empty, wherever the Go type says so. Afterwards the defaults of the schema are
 * filled in.
 */
export interface Decoder {
  /** Undefined for a null and for what is wrong. */
  readonly decode: Decode;
  /** What stands for nothing where something must stand: `0`, `""`, null for a list, a struct of its own. */
  zero(): Json;
}

const decoders = new WeakMap<ApiType, Decoder>();

/** The decoder of a type. Compiled once, when it first meets a value. */
export function decoderOf(type: ApiType): Decoder {
  const known = decoders.get(type);
  if (known) return known;
  const decoder = compile(type);
  decoders.set(type, decoder);
  return decoder;
}

function compile(type: ApiType): Decoder {
  const leaf = leafDecoder(type);
  if (leaf) return { decode: leaf, zero: () => zeros[type.kind] ?? null };
  switch (type.kind) {
    case 'list':
      return { decode: listDecode(type), zero: () => null };
    case 'map':
      return { decode: mapDecode(type), zero: () => null };
    case 'struct':
      return structDecoder(type);
    default:
      return { decode: unionDecode(type), zero: () => (type.kind === 'schemaOrBool' ? false : null) };
  }
}

/** Of the other kinds it is null. */
const zeros: Readonly<Partial<Record<ApiType['kind'], Json>>> = {
  string: '',
  bytes: '',
  bool: false,
  int32: 0,
  int64: 0,
  float64: 0,
  quantity: '0',
  intOrString: 0,
};

function listDecode(type: ApiType): Decode {
  const item = decoderOfElem(type);
  return (value, decoding) => {
    if (value === null) return undefined;
    if (!Array.isArray(value)) {
      decoding.wrongType(goValue(value), type.name);
      return undefined;
    }
    const { decode, zero } = item();
    return value.map((each: Json, index) => {
      decoding.enter(index);
      const decoded = decode(each ?? null, decoding);
      decoding.leave();
      return decoded === undefined ? zero() : decoded;
    });
  };
}

function mapDecode(type: ApiType): Decode {
  const elem = decoderOfElem(type);
  const isOfQuantities = type.elem?.kind === 'quantity';
  const isOfBytes = type.elem?.kind === 'bytes';
  return (value, decoding) => {
    if (value === null) return undefined;
    if (!isMap(value)) {
      decoding.wrongType(goValue(value), type.name);
      return undefined;
    }
    const { decode, zero } = elem();
    const out: Record<string, Json> = {};
    for (const key in value) {
      if (value[key] === undefined) continue;
      // The converter of unstructured objects leaves keys of maps out of the paths that it tells.
      if (!decoding.converts) decoding.enter(key);
      const decoded = decode(value[key] as Json, decoding);
      if (!decoding.converts) decoding.leave();
      setOwn(out, key, decoded === undefined ? zero() : decoded);
      if (isOfQuantities && isOtherwise(value[key] as Json, decoded)) sayMore(out, key);
      if (isOfBytes && value[key] === null) sayMore(out, key);
    }
    return out;
  };
}

/** Types contain themselves, so that the decoder of a part is asked for only when a value has the part. */
function decoderOfElem({ elem }: ApiType): () => Decoder {
  let decoder: Decoder | undefined;
  return () => {
    decoder ??= decoderOf(elem as ApiType);
    return decoder;
  };
}

interface CompiledField {
  readonly name: string;
  readonly place: Place;
  readonly decoder: () => Decoder;
  /** What decodes to an empty value is dropped, by `omitempty`. */
  readonly dropsEmpty: boolean;
  readonly isQuantity: boolean;
}

function structDecoder(type: ApiType): Decoder {
  const fields = new Map(type.fields.map((field) => [field.name, compiledField(field, type)] as const));
  // In the order of their names, as objects are shown.
  const always = type.fields.filter(isAlwaysWritten).map(({ name, isPointer, type: of }) => ({
    name,
    zero: isPointer ? () => null : () => decoderOf(of).zero(),
  }));
  const defaults = type.fields.filter(({ default: value, isPointer }) => value !== undefined && (isPointer || value));

  const complete = (out: Record<string, Json>): Record<string, Json> => {
    for (const { name, zero } of always) if (out[name] === undefined) out[name] = zero();
    for (const { name, default: value, isPointer } of defaults) {
      const given = out[name];
      if (given === undefined || (!isPointer && isEmpty(given))) out[name] = value as Json;
    }
    return out;
  };
  const decode: Decode = (value, decoding) => {
    if (value === null) return undefined;
    if (!isMap(value)) {
      decoding.wrongType(goValue(value), type.name);
      return undefined;
    }
    const out: Record<string, Json> = {};
    for (const name in value) {
      // A body that was made here, and not parsed, may say so where JSON would leave the field out.
      if (value[name] === undefined) continue;
      const field = fields.get(name);
      if (field === undefined) {
        decoding.unknown(name, goQuote);
        continue;
      }
      decoding.enter(field.place);
      const decoded = field.decoder().decode(value[name] as Json, decoding);
      decoding.leave();
      if (decoded === undefined) continue;
      if (!field.dropsEmpty || !isEmpty(decoded)) out[name] = decoded;
      else if (typeof decoded === 'object') sayMore(out, name);
      if (field.isQuantity && isOtherwise(value[name] as Json, decoded)) sayMore(out, name);
    }
    return complete(out);
  };
  return { decode, zero: () => complete({}) };
}

function compiledField(field: ApiField, struct: ApiType): CompiledField {
  const { name, type, isPointer, omitEmpty } = field;
  let decoder: Decoder | undefined;
  return {
    name,
    place: { field, struct },
    decoder: () => {
      decoder ??= decoderOf(type);
      return decoder;
    },
    dropsEmpty: omitEmpty && !isPointer && !isGoStruct(type),
    isQuantity: type.kind === 'quantity',
  };
}

/** Whether a quantity was not written as the server keeps it. */
function isOtherwise(written: Json, kept: Json | undefined): boolean {
  return kept !== undefined && String(written).trim() !== kept;
}

/** Kinds that are structs in Go, which omitempty never drops. */
function isGoStruct({ kind }: ApiType): boolean {
  return (
    ['struct', 'quantity', 'intOrString', 'time', 'microTime', 'raw', 'fieldsV1'].includes(kind) ||
    kind.startsWith('schemaOr')
  );
}

/** True for a field that also stands in an object of which nobody has said anything. */
export function isAlwaysWritten({ type, isPointer, omitEmpty, omitZero }: ApiField): boolean {
  if (omitZero) return false;
  return !omitEmpty || (!isPointer && isGoStruct(type));
}

function isEmpty(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return value === '' || value === 0 || value === false;
  if (Array.isArray(value)) return value.length === 0;
  for (const _ in value) return false;
  return true;
}

/** What stands in a JSON schema where a schema may stand, or something else. It decodes itself, and is not strict. */
function unionDecode(type: ApiType): Decode {
  const schema = decoderOfElem(type);
  const schemaIn = (value: Json, decoding: Decoding): Json =>
    decoding.within((inner) => schema().decode(value, inner)) ?? schema().zero();
  return (value, decoding) => {
    if (isMap(value)) return schemaIn(value, decoding);
    if (type.kind === 'schemaOrBool') {
      if (value === null || typeof value === 'boolean') return value ?? undefined;
      return decoding.stop('boolean or JSON schema expected');
    }
    if (!Array.isArray(value) || value.length === 0) return undefined;
    if (type.kind === 'schemaOrArray') {
      return decoding.within((inner) => value.map((each: Json) => schema().decode(each, inner) ?? schema().zero()));
    }
    return decoding.within((inner) =>
      value.map((each: Json) => {
        if (typeof each !== 'string' && each !== null) inner.wrongType(goValue(each), 'string');
        return each ?? '';
      }),
    );
  };
}
