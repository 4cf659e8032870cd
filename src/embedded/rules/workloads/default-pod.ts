import type { Container, PodObject, PodSpec } from '../../../../imports/k8s.js';
import type { Draft } from '../../draft.js';
import { isSaidEmpty, sayMore } from '../../said-more.js';
import { containerSums } from '../pod-template/container-sums.js';
import { defaultPodSpec } from '../pod-template/default-pod-spec.js';
import { isPodLevel } from '../pod-template/pod-resources-problems.js';
import { isHugePages, isNative } from '../resource-names.js';
import { type Unchecked, unchecked } from '../unchecked.js';

/** What a Pod gets beyond a template of Pods. */
export function defaultPod(object: Draft): void {
  const pod = unchecked<PodObject>(object);
  pod.spec ??= {};
  const { spec } = pod;
  defaultPodSpec(spec);
  for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) requestLimits(container);
  if (spec.resources) podLevelResources(spec);
  spec.enableServiceLinks ??= true;
  twinAddresses(pod.status);
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1;
  if (spec.hostNetwork !== true) return;
  for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
    for (const port of container.ports ?? []) if (port.containerPort) port.hostPort ||= port.containerPort;
  }
}

/** The first of the addresses of a Pod stands alone, too, and is what counts where both are said. */
function twinAddresses(status: Unchecked<PodObject>['status']): void {
  if (status?.podIP && status.podIP !== status.podIPs?.[0]?.ip) status.podIPs = [{ ip: status.podIP }];
  const first = status?.podIPs?.[0]?.ip;
  if (status && first !== undefined) status.podIP = first;
}

/** Who limits a resource and asks for none asks for all of the limit. */
function requestLimits({ resources }: Unchecked<Container>): void {
  if (resources?.limits === undefined) {
    if (isSaidEmpty(resources, 'limits') && resources?.requests === undefined) sayMore(resources as object, 'requests');
    return;
  }
  resources.requests = { ...resources.limits, ...resources.requests };
}

/** https://kubernetes.io/docs/tasks/configure-pod-container/assign-pod-level-resources/ */
function podLevelResources(spec: Unchecked<PodSpec>): void {
  const { resources = {} } = spec;
  if (Object.keys(resources.limits ?? {}).length > 0 || Object.keys(resources.requests ?? {}).length > 0) {
    const limits = { ...resources.limits };
    for (const [name, amount] of Object.entries(containerSums(spec, 'limits'))) {
      if (isHugePages(name) && resources.requests?.[name] === undefined) limits[name] ??= amount;
    }
    if (Object.keys(limits).length > 0) resources.limits = limits;
  }
  if (Object.keys(resources.limits ?? {}).length === 0) return;
  const requests = { ...resources.requests };
  for (const [name, amount] of Object.entries(containerSums(spec, 'requests'))) {
    if (isPodLevel(name) && isNative(name) && !isHugePages(name)) requests[name] ??= amount;
  }
  for (const [name, amount] of Object.entries(resources.limits ?? {})) {
    if (isPodLevel(name)) requests[name] ??= amount;
  }
  if (Object.keys(requests).length > 0) resources.requests = requests;
}
