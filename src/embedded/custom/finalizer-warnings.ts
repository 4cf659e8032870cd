import type { KubeObject } from '../../kube/manifest.js';
import { goQuote } from '../../schema/go-format.js';
import { qualifiedName } from '../../schema/name-formats.js';

const standard = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);

/** What the server advises about finalizers that are new, and whose names others might take too. */
export function finalizerWarnings(object: KubeObject, old?: KubeObject): readonly string[] {
  const { finalizers } = object.metadata;
  if (finalizers === undefined) return [];
  const before = new Set(old?.metadata.finalizers ?? []);
  return [...new Set(finalizers)]
    .filter((name) => !before.has(name))
    .sort()
    .flatMap((name) => {
      const shown = `metadata.finalizers: ${goQuote(name)}`;
      const found = qualifiedName(name).map((each) => `${shown}: ${each}`);
      if (name.includes('/') || standard.has(name)) return found;
      const path = name.includes('.') ? ' including a path (/)' : '';
      const advice = `prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`;
      return [...found, `${shown}: ${advice}`];
    });
}
