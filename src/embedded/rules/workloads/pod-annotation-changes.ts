import type { KubeObject } from '../../../kube/manifest.js';
import type { Problems } from '../problems.js';

const mirror = 'kubernetes.io/config.mirror';
const appArmor = 'container.apparmor.security.beta.kubernetes.io/';

/** Annotations that are settled when a Pod is created. */
export function annotationChangeProblems(found: Problems, object: KubeObject, old: KubeObject): void {
  const now = object.metadata.annotations ?? {};
  const before = old.metadata.annotations ?? {};
  for (const [key, value] of Object.entries(before)) {
    if (now[key] === value) continue;
    const at = `metadata.annotations[${key}]`;
    if (key.startsWith(appArmor)) found.forbidden(at, 'may not remove or update AppArmor annotations');
    if (key === mirror) found.forbidden(at, 'may not remove or update mirror pod annotation');
  }
  for (const key of Object.keys(now)) {
    if (before[key] !== undefined) continue;
    const at = `metadata.annotations[${key}]`;
    if (key.startsWith(appArmor)) found.forbidden(at, 'may not add AppArmor annotations');
    if (key === mirror) found.forbidden(at, 'may not add mirror pod annotation');
  }
}
