import type { ApiObject } from 'cdk8s';
import type { Json, ManifestMetadata } from '../kube/manifest.js';
import { plainData } from './plain-data.js';

/** What cdk8s keeps to itself. */
interface Kept {
  readonly _additionalAttributes: object;
  readonly labels: object;
  readonly annotations: object;
  readonly finalizers: readonly unknown[];
  readonly ownerReferences: readonly unknown[];
}

/**
 * The metadata of an object of any construct class: what it was made with, and what was added since. As by cdk8s, its keys
 * are in order and what is empty is left out; but any key is data, and what JSON cannot say is a `TerminalError` with its path.
 */
export function metadataOf({ metadata }: ApiObject, subject: string): ManifestMetadata {
  const {
    _additionalAttributes: others,
    labels,
    annotations,
    finalizers,
    ownerReferences,
  } = metadata as unknown as Kept;
  const { name, namespace } = metadata;
  const given = { ...others, name, namespace, annotations, finalizers, ownerReferences, labels };
  const { metadata: plain } = plainData({ metadata: given }, subject) as { readonly metadata: Json };
  return (swept(plain) ?? {}) as unknown as ManifestMetadata;
}

function swept(value: Json): Json | undefined {
  if (value === null) return undefined;
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((item: Json) => swept(item) ?? null);
  const entries: [string, Json][] = [];
  const map = value as { readonly [key: string]: Json };
  for (const key of Object.keys(map).sort()) {
    const kept = swept(map[key]!);
    if (kept !== undefined) entries.push([key, kept]);
  }
  // fromEntries, because a label may well be called __proto__.
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
