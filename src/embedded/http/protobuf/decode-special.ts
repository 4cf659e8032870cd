import type { Json } from '../../../kube/manifest.js';
import type { TypeKind } from '../../built-in/type-record.js';
import { WireError, type WireValue } from './wire.js';

type Fields = readonly (readonly [number: number, value: WireValue])[];

/** Types that have a form of their own in JSON, from the fields of their messages. */
export function decodeSpecial(kind: TypeKind, fields: Fields, schema: (bytes: Buffer) => Json): Json {
  const first = fields.find(([number]) => number === 1)?.[1];
  const second = fields.find(([number]) => number === 2)?.[1];
  const all = (wanted: number) => fields.filter(([number]) => number === wanted).map(([, value]) => bytesOf(value));
  switch (kind) {
    case 'quantity':
      return first === undefined ? '' : bytesOf(first).toString();
    case 'intOrString': {
      const text = fields.find(([number]) => number === 3)?.[1];
      return first === 1n ? (text === undefined ? '' : bytesOf(text).toString()) : Number(second ?? 0n);
    }
    case 'time':
      return time(first, second)?.replace(/\.\d+Z$/, 'Z') ?? null;
    case 'microTime':
      return time(first, second) ?? null;
    case 'raw':
    case 'fieldsV1':
      return first === undefined ? null : json(bytesOf(first));
    case 'schemaOrArray':
      return first === undefined ? all(2).map(schema) : schema(bytesOf(first));
    case 'schemaOrBool':
      return second === undefined ? first === 1n : schema(bytesOf(second));
    case 'schemaOrStrings':
      return first === undefined ? all(2).map(String) : schema(bytesOf(first));
    default:
      throw new WireError(`no message is known for ${kind}`);
  }
}

/** To the microsecond, in UTC. Nothing for the zero time, which stands for no time. */
function time(seconds: WireValue = 0n, nanos: WireValue = 0n): string | undefined {
  if (Buffer.isBuffer(seconds) || Buffer.isBuffer(nanos)) throw new WireError('wrong wireType');
  if (seconds === 0n && nanos === 0n) return undefined;
  const date = new Date(Number(seconds) * 1000);
  if (Number.isNaN(date.getTime())) throw new WireError('a time that is none');
  const micros = String(nanos / 1000n).padStart(6, '0');
  return date.toISOString().replace(/\.\d+Z$/, `.${micros}Z`);
}

function json(bytes: Buffer): Json {
  try {
    return JSON.parse(bytes.toString()) as Json;
  } catch {
    throw new WireError('a field is no JSON');
  }
}

function bytesOf(value: WireValue): Buffer {
  if (!Buffer.isBuffer(value)) throw new WireError('wrong wireType');
  return value;
}
