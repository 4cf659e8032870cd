import type { AppArmorProfile, PodSpec } from '../../../../imports/k8s.js';
import { appArmorAnnotation, appArmorIn, appArmorWarning } from '../pod-template/app-armor-annotation.js';
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
    const key = appArmorAnnotation(container.name ?? '');
    const annotation = annotations[key];
    if (annotation === undefined || container.securityContext?.appArmorProfile) return;
    const profile = validProfile(annotation);
    if (profile !== undefined && isSame(profile, spec.securityContext?.appArmorProfile)) return;
    if (profile) container.securityContext = { ...container.securityContext, appArmorProfile: profile };
    advice.set(spec, [...(advice.get(spec) ?? []), appArmorWarning(`metadata.annotations[${key}]`)]);
  });
}

/** Once the fields are there nobody can tell any more who wrote them. */
const advice = new WeakMap<object, readonly string[]>();

/** What there was to say when annotations of a new Pod were taken in. */
export function takenInWarnings(spec: object): readonly string[] {
  return advice.get(spec) ?? [];
}

function validProfile(annotation: string): Unchecked<AppArmorProfile> | undefined {
  const profile = appArmorIn(annotation);
  if (profile === undefined) return undefined;
  const found = new Problems();
  appArmorProblems(found, '', profile);
  return found.all.length === 0 ? profile : undefined;
}
