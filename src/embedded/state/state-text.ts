import { createHash } from 'node:crypto';
import { OperatorError } from '../../kube/errors.js';
import type { KubeObject } from '../../kube/manifest.js';
import type { ClusterIdentity, ClusterState } from './cluster-state.js';

const format = 'kilter-cluster';
const version = 1;
/** More changes than any process makes between two saves. */
const unsavedChanges = 1_000_000;

/** Objects never change once they are stored, so that each is put into words once. */
const lines = new WeakMap<KubeObject, string>();

/**
 * A state as text: JSON with an object a line, in the order of their keys, so that two states can be told apart by `diff`,
 * and a checksum at the end.
 */
export function textOf({ revision, objects, identity, isEnd }: ClusterState): string {
  const head = JSON.stringify({ format, version, isEnd, revision, identity }).slice(0, -1);
  const listed = Array.from(objects, ([resource, object]) => `["${resource}",${lineOf(object)}]`);
  const body = `${head},\n"objects":[\n${listed.join(',\n')}\n],\n`;
  return `${body}"sha256":"${checksumOf(body)}"}\n`;
}

/**
 * The state that `text` holds. After anything but an orderly end its revision is far beyond that of the text: a client
 * that saw what was not saved any more is told to list again, and never takes a new object for the one it saw.
 *
 * Throws `OperatorError` for what `textOf` never wrote, whole or damaged, and for what a later kilter wrote.
 */
export function stateOf(text: string, file: string): ClusterState {
  const read = parsed(text, file);
  if (read?.['format'] !== format) throw unreadable(file, `it is no state of a cluster, but something else`);
  if (typeof read['version'] !== 'number' || read['version'] > version) {
    throw new OperatorError(
      `reading the cluster state ${file} failed: it has format ${String(read['version'])}, and the latest that this kilter knows is ${version}`,
      { hint: 'use the kilter that wrote it, or a later one' },
    );
  }
  const end = text.lastIndexOf('"sha256":');
  if (read['sha256'] !== checksumOf(text.slice(0, end))) {
    throw unreadable(file, 'its checksum is not that of its content');
  }
  // What has its checksum was written by `textOf`.
  const { revision, isEnd, identity, objects } = read as unknown as ClusterState & { identity: ClusterIdentity };
  return { revision: isEnd ? revision : revision + unsavedChanges, isEnd, identity, objects };
}

function lineOf(object: KubeObject): string {
  let line = lines.get(object);
  if (line === undefined) {
    line = JSON.stringify(object);
    lines.set(object, line);
  }
  return line;
}

function checksumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function parsed(text: string, file: string): { readonly [field: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as { readonly [field: string]: unknown }) : undefined;
  } catch (cause) {
    throw unreadable(file, text.trim() === '' ? 'it is empty' : 'it is no whole JSON', cause);
  }
}

function unreadable(file: string, why: string, cause?: unknown): OperatorError {
  return new OperatorError(`reading the cluster state ${file} failed: ${why}`, {
    ...(cause === undefined ? {} : { cause }),
    hint: 'it was damaged or changed by hand: put back a copy, or move it away to start with an empty cluster',
  });
}
