import type { PodSpec, PodTemplateSpec } from '../../../../imports/k8s.js';
import type { Unchecked } from '../unchecked.js';
import { defaultContainer } from './default-container.js';
import { defaultResourceList } from './default-resources.js';
import { defaultVolume } from './default-volume.js';

/** Fills in what the author of a template of Pods left out. */
export function defaultPodTemplate(template: Unchecked<PodTemplateSpec>): void {
  template.metadata ??= {};
  template.spec ??= {};
  defaultPodSpec(template.spec);
}

/** What Pods and templates of Pods have in common. */
export function defaultPodSpec(spec: Unchecked<PodSpec>): void {
  spec.dnsPolicy ||= 'ClusterFirst';
  spec.restartPolicy ||= 'Always';
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= 30;
  spec.schedulerName ||= 'default-scheduler';
  defaultServiceAccount(spec);
  for (const container of spec.initContainers ?? []) defaultContainer(container);
  for (const container of spec.containers ?? []) defaultContainer(container);
  for (const container of spec.ephemeralContainers ?? []) defaultContainer(container);
  for (const volume of spec.volumes ?? []) defaultVolume(volume);
  defaultResourceList(spec.overhead);
  defaultResourceList(spec.resources?.limits);
  defaultResourceList(spec.resources?.requests);
}

/** The field has an old name; who writes one gets both. */
export function defaultServiceAccount(spec: Unchecked<PodSpec>): void {
  const name = spec.serviceAccountName || spec.serviceAccount;
  if (!name) return;
  spec.serviceAccountName = name;
  spec.serviceAccount = name;
}
