import type { PodSpec } from '../../../../imports/k8s.js';
import { isEmptyCollection } from '../../../kube/plain-map.js';
import type { Unchecked } from '../unchecked.js';

/**
 * Drops what only servers with a certain gate open take, all of them closed by default:
 * https://kubernetes.io/docs/reference/command-line-tools-reference/feature-gates/
 */
export function dropClosedFields(spec: Unchecked<PodSpec> | undefined): void {
  if (spec === undefined) return;
  delete spec.schedulingGroup;
  for (const { projected } of spec.volumes ?? []) {
    for (const source of projected?.sources ?? []) {
      delete source.clusterTrustBundle;
      delete source.podCertificate;
    }
  }
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    const { lifecycle } = container;
    if (lifecycle?.stopSignal === undefined) continue;
    delete lifecycle.stopSignal;
    // With nothing else in it there is none; one that was empty before stays.
    if (isEmptyCollection(lifecycle)) delete container.lifecycle;
  }
}
