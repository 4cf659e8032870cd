import type { AppArmorProfile } from '../../../../imports/k8s.js';
import type { Unchecked } from '../unchecked.js';

/** Where the profile of a container was said before there was a field. */
export function appArmorAnnotation(container: string): string {
  return `container.apparmor.security.beta.kubernetes.io/${container}`;
}

/** The profile that such an annotation means, whether or not there can be one. */
export function appArmorIn(annotation: string): Unchecked<AppArmorProfile> | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  if (!annotation.startsWith('localhost/') || annotation === 'localhost/') return undefined;
  return { type: 'Localhost', localhostProfile: annotation.slice('localhost/'.length) };
}

export function appArmorWarning(path: string): string {
  return `${path}: deprecated since v1.30; use the "appArmorProfile" field instead`;
}
