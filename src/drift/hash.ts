import { createHash } from 'node:crypto';
import { canonical } from '../kube/canonical-json.js';
import type { Manifest } from '../kube/manifest.js';
import { isMap, property } from '../kube/plain-map.js';

/** On every child: what was last applied to it, so that a controller that starts knows without asking. */
export const appliedHash = 'kilter.dev/applied-hash';

/** In its place while a child is as nobody desires it, by a write of ours that another is to follow. No hash is like it. */
export const outdated = 'outdated';

/** A short text that is equal for manifests that say the same, in whatever order of keys. */
export function hashOf(manifest: Manifest): string {
  return createHash('sha256').update(canonical(manifest)).digest('base64url').slice(0, 22);
}

/** `manifest` as it is sent: with its own hash as an annotation. */
export function withAppliedHash(manifest: Manifest, hash: string): Manifest {
  const { metadata } = manifest;
  return { ...manifest, metadata: { ...metadata, annotations: { ...metadata.annotations, [appliedHash]: hash } } };
}

/** The path of the first field in which two manifests say something else, or undefined where they say the same. */
export function otherPlace(one: unknown, other: unknown): string | undefined {
  if (one === other || canonical(one) === canonical(other)) return undefined;
  if (!isMap(one) || !isMap(other)) return '';
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
  const [name = ''] = names.filter((each) => canonical(property(one, each)) !== canonical(property(other, each)));
  const below = otherPlace(property(one, name), property(other, name));
  const own = /^[\w$-]+$/.test(name) ? name : `[${JSON.stringify(name)}]`;
  return below ? `${own}.${below}`.replaceAll('.[', '[') : own;
}
