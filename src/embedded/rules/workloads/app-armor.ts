import type { AppArmorProfile, PodSpec } from '../../../../imports/k8s.js';
import { eachContainer } from '../pod-template/each-container.js';
import { appArmorProblems } from '../pod-template/security-problems.js';
import { Problems } from '../problems.js';
import type { Unchecked } from '../unchecked.js';
import { isSame } from './selector-of-workload.js';

/** Who still writes the old annotations gets the fields: https://kubernetes.io/docs/tutorials/security/apparmor/ */
export function takeInAppArmor(
  annotations: Readonly<Record<string, string>> | undefined,
  spec: Unchecked<PodSpec>,
): void {
  if (annotations === undefined || spec.os?.name === 'windows') return;
  eachContainer(spec, '', (container) => {
    const annotation = annotations[`container.apparmor.security.beta.kubernetes.io/${container.name}`];
    if (annotation === undefined || container.securityContext?.appArmorProfile) return;
    const profile = profileOf(annotation);
    if (profile === undefined || isSame(profile, spec.securityContext?.appArmorProfile)) return;
    container.securityContext = { ...container.securityContext, appArmorProfile: profile };
  });
}

function profileOf(annotation: string): Unchecked<AppArmorProfile> | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  if (!annotation.startsWith('localhost/') || annotation === 'localhost/') return undefined;
  const profile = { type: 'Localhost', localhostProfile: annotation.slice('localhost/'.length) };
  const found = new Problems();
  appArmorProblems(found, '', profile);
  return found.all.length === 0 ? profile : undefined;
}
