import type { ServedKind } from '../kinds/served-kind.js';

/**
 * Whether the real server has a Go type for the kind, as it has for all of its own and for no custom resource. It shows
 * in lists, whose items then do not repeat their kind, and in what a wrong path or method is answered.
 */
export function isTyped({ shape }: ServedKind): boolean {
  return shape.patchType !== undefined;
}

export function apiVersionOf({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === '' ? version : `${group}/${version}`;
}
