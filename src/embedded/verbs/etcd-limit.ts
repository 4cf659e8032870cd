import { goJson } from '../../schema/go-format.js';
import type { Draft } from '../draft.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { unexplained } from '../status-error.js';
import { storageKey } from './storage-key.js';

/** 1.5 MiB, what etcd takes of a transaction unless it is told otherwise. */
const mostTaken = 1.5 * 1024 * 1024;
/** 2 MiB, what its client sends. */
const mostSent = 2 * 1024 * 1024;
/** What etcd adds to what it was sent: a number of its own, which may take a byte less. */
const headerBytes = 18;

/**
 * `stored` as etcd takes it. Of what is too large who owns what is dropped, unless it was applied: the server tries that as well.
 * Throws a `StatusError` (500) in the server's words for what is too large even so.
 *
 * Custom resources are kept in JSON, and so counted to the byte. Built-in kinds are kept in protobuf: of them the texts are
 * counted, so that nothing is refused that would fit.
 */
export function withinEtcd(kind: ServedKind, stored: Draft, isApply: boolean): Draft {
  if (mostBytesOf(stored) <= mostTaken / 2) return stored;
  if (transactionBytes(kind, stored) + headerBytes <= mostTaken) return stored;
  const { managedFields: _, ...metadata } = stored.metadata;
  const kept = isApply ? stored : { ...stored, metadata };
  const bytes = transactionBytes(kind, kept);
  if (bytes > mostSent) {
    const because = `trying to send message larger than max (${bytes} vs. ${mostSent})`;
    throw unexplained(500, `rpc error: code = ResourceExhausted desc = ${because}`);
  }
  if (bytes + headerBytes > mostTaken) throw unexplained(500, 'etcdserver: request is too large');
  return kept;
}

/** No fewer than it takes in JSON, found without writing that: six for what becomes an escape. */
function mostBytesOf(value: unknown): number {
  if (typeof value === 'string') return 6 * value.length + 3;
  if (typeof value !== 'object' || value === null) return 32;
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + mostBytesOf(each), 2);
  let sum = 2;
  for (const key in value) sum += 6 * key.length + 4 + mostBytesOf((value as Record<string, unknown>)[key]);
  return sum;
}

/** https://github.com/etcd-io/etcd/blob/v3.6.8/api/etcdserverpb/rpc.proto: put the value under the key, if that is as it was. */
function transactionBytes(kind: ServedKind, { metadata, ...rest }: Draft): number {
  const { resourceVersion, selfLink: _, namespace, name = '', ...kept } = metadata;
  const address = { ...(namespace === undefined ? {} : { namespace }), name };
  const value = { ...rest, metadata: { ...kept, ...address } };
  const key = field(Buffer.byteLength(storageKey(kind, address, false)));
  const compare = 2 + key + 1 + varint(Number(resourceVersion ?? 0));
  const put = field(key + field(isJson(kind) ? jsonBytes(value) : textBytes(kind, value)));
  // Of what is there already it asks what it is by now.
  const otherwise = resourceVersion === undefined ? 0 : field(field(key));
  return field(compare) + field(put) + otherwise;
}

function isJson({ shape, group }: ServedKind): boolean {
  return shape.patchType === undefined || group === 'apiextensions.k8s.io';
}

/** With the end of the line. */
function jsonBytes(value: object): number {
  return Buffer.byteLength(goJson(value)) + 1;
}

function textBytes({ plural }: ServedKind, value: object): number {
  const bytesOf = (at: string, each: unknown): number => {
    if (at === 'fieldsV1') return Buffer.byteLength(goJson(each));
    if (typeof each === 'string') return Buffer.byteLength(each);
    if (typeof each !== 'object' || each === null) return 0;
    const bytes = Object.entries(each).reduce((sum, [key, child]) => sum + bytesOf(key, child), 0);
    const isBase64 = (plural === 'secrets' && at === 'data') || at === 'binaryData';
    return isBase64 ? Math.floor((bytes * 3) / 4) : bytes;
  };
  return bytesOf('', value);
}

/** A field of so many bytes, with its number and its length. */
function field(bytes: number): number {
  return 1 + varint(bytes) + bytes;
}

function varint(value: number): number {
  let bytes = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) bytes++;
  return bytes;
}
