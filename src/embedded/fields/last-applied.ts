import type { Json, KubeObject } from '../../kube/manifest.js';
import { isMap } from '../../kube/plain-map.js';
import { compare } from './compare.js';
import { FieldSet } from './field-set.js';
import { fieldSetOf } from './field-set-of.js';
import type { FieldType } from './field-type.js';
import type { FieldClash } from './ownership.js';

/** What `kubectl apply` without `--server-side` keeps in each object: the manifest that it applied. */
const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
const longestBytes = 256 * 1024;

export function lastAppliedOf(live: KubeObject | undefined): string | undefined {
  return live?.metadata.annotations?.[annotation] || undefined;
}

/**
 * The clashes that are left when kubectl goes over to server-side apply: fields that it applied itself before, and that
 * nobody has changed since, are its own, though they stand under another manager.
 *
 * https://kubernetes.io/docs/reference/using-api/server-side-apply/#upgrading-from-client-side-apply-to-server-side-apply
 */
export function clashesOfOthers(
  clashes: readonly FieldClash[],
  live: KubeObject,
  type: FieldType,
): readonly FieldClash[] {
  const own = ownFields(live, type);
  if (own.isEmpty) return clashes;
  return clashes.flatMap(({ manager, fields }) => {
    const left = fields.difference(own);
    return left.isEmpty ? [] : [{ manager, fields: left }];
  });
}

function ownFields(live: KubeObject, type: FieldType): FieldSet {
  let applied: Json;
  try {
    applied = JSON.parse(lastAppliedOf(live) ?? '') as Json;
  } catch {
    return FieldSet.empty;
  }
  if (!isMap(applied) || applied['apiVersion'] !== live.apiVersion) return FieldSet.empty;
  const change = compare(applied, live as unknown as Json, type);
  return fieldSetOf(applied, type).difference(change.modified).difference(change.added).difference(change.removed);
}

/** The annotation for an object that kubectl applied on the server, so that both ways of applying can be mixed. */
export function lastAppliedBy(config: { readonly [field: string]: Json }): string {
  const { metadata } = config;
  const { annotations, ...others } = isMap(metadata) ? metadata : {};
  const { [annotation]: _, ...kept } = isMap(annotations) ? annotations : {};
  const withoutItself = { ...config, metadata: { ...others, ...(isMap(annotations) ? { annotations: kept } : {}) } };
  const text = `${JSON.stringify(sorted(withoutItself))}\n`;
  return Buffer.byteLength(text) > longestBytes ? '' : text;
}

export function setLastApplied(annotations: Record<string, string> | undefined, text: string): Record<string, string> {
  return { ...annotations, [annotation]: text };
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(sorted);
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name] as Json)]),
  );
}
