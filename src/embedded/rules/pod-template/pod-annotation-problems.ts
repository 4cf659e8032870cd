import type { PodSpec } from '../../../../imports/k8s.js';
import type { Problems } from '../problems.js';
import type { Unchecked } from '../unchecked.js';
import { eachContainer } from './each-container.js';
import { relativePath } from './path-problems.js';

type Annotations = Readonly<Record<string, string | undefined>>;

const mirror = 'kubernetes.io/config.mirror';
const deletionCost = 'controller.kubernetes.io/pod-deletion-cost';
const seccompOfPod = 'seccomp.security.alpha.kubernetes.io/pod';
const seccompOfContainer = 'container.seccomp.security.alpha.kubernetes.io/';
const appArmorOfContainer = 'container.apparmor.security.beta.kubernetes.io/';

/** Annotations that mean something to Kubernetes must mean it right. */
export function podAnnotationProblems(
  found: Problems,
  path: string,
  annotations: Annotations | undefined,
  spec: Unchecked<PodSpec>,
): void {
  if (annotations === undefined) return;
  const isMirror = annotations[mirror];
  if (isMirror !== undefined && !spec.nodeName) {
    found.invalid(`${path}[${mirror}]`, isMirror, 'must set spec.nodeName if mirror pod annotation is set');
  }
  const cost = annotations[deletionCost];
  if (cost !== undefined && !isInt32(cost)) found.invalid(`${path}[${deletionCost}]`, cost, 'must be a 32bit integer');
  if (annotations[seccompOfPod] !== undefined) seccomp(found, `${path}.${seccompOfPod}`, annotations[seccompOfPod]);
  for (const [key, value = ''] of Object.entries(annotations)) {
    if (key.startsWith(seccompOfContainer)) seccomp(found, `${path}.${key}`, value);
  }
  for (const [key, value = ''] of Object.entries(annotations)) {
    if (key.startsWith(appArmorOfContainer)) appArmor(found, `${path}[${key}]`, key, value, spec);
  }
}

/** Annotations that have become fields must say what the fields say. */
export function annotationsMatchFields(
  found: Problems,
  path: string,
  annotations: Annotations | undefined,
  spec: Unchecked<PodSpec>,
): void {
  if (annotations === undefined) return;
  const ofPod = spec.securityContext?.seccompProfile;
  const podAnnotation = annotations[seccompOfPod];
  if (ofPod && podAnnotation !== undefined) {
    matching(found, `${path}.securityContext.seccompProfile`, podAnnotation, ofPod, seccompWords);
  }
  eachContainer(spec, path, ({ name = '', securityContext }, at) => {
    const annotation = annotations[seccompOfContainer + name];
    const profile = securityContext?.seccompProfile;
    if (annotation === undefined || profile === undefined) return;
    matching(found, `${at}.securityContext.seccompProfile`, annotation, profile, seccompWords);
  });
  if (spec.os?.name === 'windows') return;
  eachContainer(spec, path, ({ name = '', securityContext }, at) => {
    const annotation = annotations[appArmorOfContainer + name];
    const profile = securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile;
    if (annotation === undefined || profile === undefined) return;
    matching(found, `${at}.securityContext.appArmorProfile`, annotation, profile, appArmorWords);
  });
}

interface Words {
  readonly what: string;
  readonly unconfined: string;
  readonly runtimeDefault: readonly string[];
}

const seccompWords: Words = {
  what: 'seccomp',
  unconfined: 'unconfined',
  runtimeDefault: ['runtime/default', 'docker/default'],
};
const appArmorWords: Words = { what: 'apparmor', unconfined: 'unconfined', runtimeDefault: ['runtime/default'] };

function matching(
  found: Problems,
  path: string,
  annotation: string,
  { type, localhostProfile }: { type?: string | undefined; localhostProfile?: string | undefined },
  { what, unconfined, runtimeDefault }: Words,
): void {
  const isSameType =
    type === 'Unconfined'
      ? annotation === unconfined
      : type === 'RuntimeDefault'
        ? runtimeDefault.includes(annotation)
        : type !== 'Localhost' || annotation.startsWith('localhost/');
  if (!isSameType) found.forbidden(`${path}.type`, `${what} type in annotation and field must match`);
  else if (type === 'Localhost' && annotation.slice('localhost/'.length) !== localhostProfile) {
    found.forbidden(`${path}.localhostProfile`, `${what} profile in annotation and field must match`);
  }
}

function seccomp(found: Problems, path: string, profile: string): void {
  if (profile === 'runtime/default' || profile === 'docker/default' || profile === 'unconfined') return;
  if (profile.startsWith('localhost/')) relativePath(found, path, profile.slice('localhost/'.length));
  else found.invalid(path, profile, 'must be a valid seccomp profile');
}

function appArmor(found: Problems, path: string, key: string, value: string, spec: Unchecked<PodSpec>): void {
  const container = key.slice(appArmorOfContainer.length);
  let isThere = false;
  eachContainer(spec, '', ({ name }) => {
    isThere ||= name === container;
  });
  if (!isThere) found.invalid(path, container, 'container not found');
  const isKnown = value === '' || value === 'runtime/default' || value === 'unconfined';
  if (!isKnown && !value.startsWith('localhost/')) {
    found.invalid(path, value, `invalid AppArmor profile name: ${JSON.stringify(value)}`);
  }
}

function isInt32(text: string): boolean {
  return /^(?:0|-?[1-9][0-9]*)$/.test(text) && Number(text) >= -(2 ** 31) && Number(text) < 2 ** 31;
}
