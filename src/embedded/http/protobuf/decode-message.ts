import type { Json } from '../../../kube/manifest.js';
import { isEmptyValue } from '../../../kube/plain-map.js';
import { type ApiField, type ApiType, apiType, apiTypeNamed, kindRecords } from '../../built-in/api-type.js';
import { decodeSpecial } from './decode-special.js';
import { fieldNumbers } from './field-numbers.js';
import { fieldsOf, packed, WireError, type WireValue } from './wire.js';

type Fields = Record<string, Json>;

const prefix = Buffer.from('k8s\0');

/**
 * An object that was sent as protobuf, as JSON has it. Go's clients send built-in kinds in this way, and some commands
 * of kubectl do: https://kubernetes.io/docs/reference/using-api/api-concepts/#protobuf-encoding
 *
 * Throws a `WireError` for what is none, or of a kind that has no message here.
 */
export function decodeObject(bytes: Buffer): { readonly [field: string]: Json } {
  if (!bytes.subarray(0, prefix.length).equals(prefix)) {
    const expected = `expected prefix [${[...prefix].join(' ')}]`;
    throw new WireError(`provided data does not appear to be a protobuf message, ${expected}`);
  }
  const envelope = new Map(fieldsOf(bytes.subarray(prefix.length)));
  const about = new Map(fieldsOf(bytesOf(envelope.get(1) ?? Buffer.alloc(0))));
  const apiVersion = textOf(about.get(1));
  const kind = textOf(about.get(2));
  const type = messageType(apiVersion, kind);
  if (!type)
    throw new WireError(`no message is known of kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`);
  return { apiVersion, kind, ...struct(type, bytesOf(envelope.get(2) ?? Buffer.alloc(0)), 0) };
}

function messageType(apiVersion: string, kind: string): ApiType | undefined {
  if (kind === 'DeleteOptions') return apiTypeNamed('io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions');
  for (const record of kindRecords()) {
    if (record.apiVersion === apiVersion && record.kind === kind) return apiType(record.type);
    const below = record.subresources.find(
      (each) => (each.apiVersion ?? record.apiVersion) === apiVersion && each.kind === kind,
    );
    if (below) return apiType(below.type);
  }
  return undefined;
}

/** Where a number leads: to a field, or into a message that is embedded in Go, and flat in JSON. */
type Numbered = ApiField | ReadonlyMap<number, ApiField>;

const layouts = new Map<string, ReadonlyMap<number, Numbered>>();
let lines: ReadonlyMap<string, string> | undefined;

function layoutOf(type: ApiType): ReadonlyMap<number, Numbered> {
  const { model = '' } = type;
  const known = layouts.get(model);
  if (known) return known;
  lines ??= new Map(
    fieldNumbers
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]),
  );
  const byName = new Map(type.fields.map((field) => [field.name, field]));
  const layout = new Map<number, Numbered>();
  for (const entry of (lines.get(model) ?? '').split(' ')) {
    const equals = entry.indexOf('=');
    const field = byName.get(entry.slice(0, equals));
    const [first, second] = entry
      .slice(equals + 1)
      .split('.')
      .map(Number);
    if (!field || first === undefined) continue;
    if (second === undefined) layout.set(first, field);
    else {
      const inner = (layout.get(first) ?? new Map()) as Map<number, ApiField>;
      layout.set(first, inner.set(second, field));
    }
  }
  layouts.set(model, layout);
  return layout;
}

const maxDepth = 500;

function struct(type: ApiType, bytes: Buffer, depth: number): Fields {
  if (depth > maxDepth) throw new WireError('exceeded max depth');
  const into: Fields = {};
  for (const [number, value] of fieldsOf(bytes)) {
    const numbered = layoutOf(type).get(number);
    if (numbered === undefined) continue;
    if (!(numbered instanceof Map)) {
      take(into, numbered as ApiField, value, depth);
      continue;
    }
    for (const [inner, innerValue] of fieldsOf(bytesOf(value))) {
      const field = numbered.get(inner);
      if (field) take(into, field, innerValue, depth);
    }
  }
  return into;
}

function take(into: Fields, { name, type, isPointer }: ApiField, value: WireValue, depth: number): void {
  const { kind, elem } = type;
  if (kind === 'list' && elem && !isMessage(type)) {
    const items = (into[name] ?? []) as Json[];
    const isNumbers = elem.kind === 'int32' || elem.kind === 'int64';
    if (isNumbers && Buffer.isBuffer(value)) for (const each of packed(value)) items.push(Number(each));
    else items.push(decoded(elem, value, depth));
    into[name] = items;
    return;
  }
  if (kind === 'map' && elem) {
    const entry = new Map(fieldsOf(bytesOf(value)));
    const item = entry.get(2);
    const found = item === undefined ? zeroOf(elem) : decoded(elem, item, depth);
    // A key such as __proto__ is a key.
    into[name] = { ...(into[name] as Fields | undefined), ...Object.fromEntries([[textOf(entry.get(1)), found]]) };
    return;
  }
  const found = decoded(type, value, depth);
  // Go writes what is no pointer even where it is empty, and takes it for absent.
  if (isPointer || !isEmptyValue(found)) into[name] = found;
}

/** A list with a type of its own is a message around its items. */
function isMessage({ name }: ApiType): boolean {
  return name.endsWith('.ExtraValue');
}

function decoded(type: ApiType, value: WireValue, depth: number): Json {
  switch (type.kind) {
    case 'string':
      return textOf(value);
    case 'bool':
      return value !== 0n;
    case 'int32':
    case 'int64':
      return Number(value);
    case 'float64':
      return bytesOf(value).readDoubleLE();
    case 'bytes':
      return bytesOf(value).toString('base64');
    case 'struct':
      return struct(type, bytesOf(value), depth + 1);
    case 'list':
      return [...fieldsOf(bytesOf(value))].map(([, item]) => decoded(type.elem as ApiType, item, depth + 1));
    default:
      return decodeSpecial(type.kind, [...fieldsOf(bytesOf(value))], (schema) =>
        struct(type.elem as ApiType, schema, depth + 1),
      );
  }
}

function zeroOf({ kind }: ApiType): Json {
  if (kind === 'string' || kind === 'bytes') return '';
  if (kind === 'bool') return false;
  return kind === 'struct' ? {} : kind === 'list' ? [] : 0;
}

function bytesOf(value: WireValue): Buffer {
  if (!Buffer.isBuffer(value)) throw new WireError('wrong wireType');
  return value;
}

function textOf(value: WireValue | undefined): string {
  return value === undefined ? '' : bytesOf(value).toString();
}
