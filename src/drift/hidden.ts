import type { Manifest } from '../kube/manifest.js';
import type { DriftPolicy } from './drift-policy.js';

/** What is shown in place of a value that may be shown to nobody. */
export const masked = '(hidden)';

/** True of a Secret, and of the kind itself: also of another API that calls something so, for what that holds nobody here knows. */
export function isSecret({ kind }: { readonly kind: string }): boolean {
  return kind === 'Secret';
}

/**
 * True where the value at `trail` of `child` may be shown to nobody: what a Secret holds, what the policy says is sensitive,
 * and what `kubectl apply` notes of either.
 */
export function isHidden(child: Manifest, trail: readonly string[], policy: DriftPolicy): boolean {
  if (policy.isSensitive(child, trail)) return true;
  const [first, second, key] = trail;
  if (first !== 'f:metadata') return isSecret(child) && first !== 'f:type' && first !== 'f:immutable';
  const isNote =
    second === 'f:annotations' && (key === undefined || key === 'f:kubectl.kubernetes.io/last-applied-configuration');
  return isNote && (isSecret(child) || policy.hasSensitive(child));
}

/**
 * Where `trail` leads to, for people: `spec.containers[name=web].image`. A set's item and the keys of a list's item are
 * values that stand in the path, and are masked as such; the keys of a map are none.
 */
export function shownPath(child: Manifest, trail: readonly string[], policy: DriftPolicy): string {
  return trail.reduce((path, segment, index) => {
    const place = trail.slice(0, index + 1);
    const name = segment.slice(2);
    if (segment.startsWith('v:')) return `${path}[${isHidden(child, place, policy) ? masked : name}]`;
    if (segment.startsWith('k:')) {
      const shown = ([key, value]: [string, unknown]) =>
        `${key}=${isHidden(child, [...place, `f:${key}`], policy) ? masked : String(value)}`;
      return `${path}[${Object.entries(JSON.parse(name) as object)
        .map(shown)
        .join(',')}]`;
    }
    if (!/^[A-Za-z0-9_$-]+$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
    return path === '' ? name : `${path}.${name}`;
  }, '');
}
