import type { KubeObject } from '../../src/kube/manifest.js';

/** What others put on an object, by its path: it bears the mark of being foreign. */
export function foreignFieldsOf(object: KubeObject): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const place of ['labels', 'annotations'] as const) {
    for (const [key, value] of Object.entries(object.metadata[place] ?? {})) {
      if (isForeign(key)) found[`${place}.${key}`] = value;
    }
  }
  for (const finalizer of object.metadata.finalizers ?? [])
    if (isForeign(finalizer)) found[`finalizers.${finalizer}`] = '';
  return found;
}

export function isForeign(key: string): boolean {
  return key.startsWith('foreign');
}
