import type { Container, PodObject, PodStatus } from '../../../../imports/k8s.js';
import type { KubeObject } from '../../../kube/manifest.js';
import { problemWithoutValue } from '../../../schema/field-problem.js';
import { goJson } from '../../../schema/go-format.js';
import type { Draft } from '../../draft.js';
import { addressProblems, familyOf } from '../addresses.js';
import type { Problems } from '../problems.js';
import { keepSpec } from '../status-apart.js';
import { type Unchecked, unchecked } from '../unchecked.js';
import { containerStatusProblems } from './container-status-problems.js';

type Status = Unchecked<PodStatus>;
type Statuses = Status['containerStatuses'];

/** Of an update of the status the specification and the owners are dropped; generations that it leaves out stay. */
export function preparePodStatus(object: Draft, old: KubeObject): void {
  keepSpec(object, old);
  delete object.metadata.deletionTimestamp;
  if (old.metadata.ownerReferences === undefined) delete object.metadata.ownerReferences;
  else object.metadata.ownerReferences = [...old.metadata.ownerReferences];
  const pod = unchecked<PodObject>(object);
  pod.status ??= {};
  const { status } = pod;
  const before = unchecked<PodObject>(old).status ?? {};
  if (before.qosClass !== undefined) status.qosClass ||= before.qosClass;
  if (before.observedGeneration) status.observedGeneration ||= before.observedGeneration;
  dropClosedStatus(status, before);
  const left = [...(before.conditions ?? [])];
  for (const condition of status.conditions ?? []) {
    const index = left.findIndex(({ type }) => type === condition.type);
    const [same] = index < 0 ? [] : left.splice(index, 1);
    if (same?.observedGeneration) condition.observedGeneration ||= same.observedGeneration;
  }
}

/** Drops what only servers with a certain gate open take, all of them closed by default. */
function dropClosedStatus(status: Status, before: Status): void {
  if (before.nodeAllocatableResourceClaimStatuses === undefined) delete status.nodeAllocatableResourceClaimStatuses;
  for (const field of ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const) {
    for (const { volumeMounts } of status[field] ?? [])
      for (const mount of volumeMounts ?? []) delete mount.volumeStatus;
  }
}

/** https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/#PodStatus */
export function podStatusProblems(found: Problems, pod: Unchecked<PodObject>, oldPod: Unchecked<PodObject>): void {
  const status = pod.status ?? {};
  const old = oldPod.status ?? {};
  status.conditions?.forEach(({ type = '', observedGeneration = 0 }, index) => {
    const at = `status.conditions[${index}]`;
    if (observedGeneration < 0) {
      found.invalid(`${at}.observedGeneration`, observedGeneration, 'must be a non-negative integer');
    }
    if (!['PodScheduled', 'Ready', 'Initialized'].includes(type)) found.qualifiedName(`${at}.Type`, type);
  });
  nominatedNodeProblems(found, pod, old);
  const { observedGeneration = 0, qosClass = '' } = status;
  if (observedGeneration < 0) {
    found.invalid('status.observedGeneration', observedGeneration, 'must be a non-negative integer');
  }
  if (qosClass !== (old.qosClass ?? '')) found.invalid('status.qosClass', qosClass, 'field is immutable');
  const { containers, initContainers } = oldPod.spec ?? {};
  const around = { pod: oldPod, status };
  // A container that takes all others with it as it ends lets all of them run again.
  const mayAllRestart = [...(containers ?? []), ...(initContainers ?? [])].some(({ restartPolicyRules = [] }) =>
    restartPolicyRules.some(({ action }) => action === 'RestartAllContainers'),
  );
  if (!mayAllRestart) {
    stateProblems(found, 'containerStatuses', containers, old.containerStatuses, around);
    stateProblems(found, 'initContainerStatuses', initContainers, old.initContainerStatuses, around);
  }
  stateProblems(found, 'ephemeralContainerStatuses', [], old.ephemeralContainerStatuses, around);
  claimProblems(found, pod);
  extendedClaimProblems(found, pod);
  addressesProblems(found, 'podIPs', status, old);
  const { hostIPs = [] } = status;
  if (hostIPs.length > 0) {
    if ((status.hostIP ?? '') !== (hostIPs[0]?.ip ?? '')) {
      found.invalid('status.hostIPs[0].ip', hostIPs[0]?.ip ?? '', 'must be equal to `hostIP`');
    }
    addressesProblems(found, 'hostIPs', status, old);
  }
  containerStatusProblems(found, pod);
}

/** Claims that were made for a Pod are those that it asks for. */
function claimProblems(found: Problems, { spec, status }: Unchecked<PodObject>): void {
  const seen = new Set<string>();
  status?.resourceClaimStatuses?.forEach(({ name = '', resourceClaimName }, index) => {
    const at = `status.resourceClaimStatuses[${index}]`;
    if (!spec?.resourceClaims?.some((each) => (each.name ?? '') === name)) {
      found.invalid(`${at}.name`, name, 'must match the name of an entry in `spec.resourceClaims`');
    }
    if (seen.has(name)) found.duplicate(`${at}.name`, name);
    seen.add(name);
    if (resourceClaimName !== undefined) found.subdomain(`${at}.resourceClaimName`, resourceClaimName);
  });
}

/** The claim that was made for what its containers ask for as plain resources. */
function extendedClaimProblems(found: Problems, { spec = {}, status }: Unchecked<PodObject>): void {
  const claim = status?.extendedResourceClaimStatus;
  if (claim === undefined) return;
  const path = 'status.extendedResourceClaimStatus';
  const mappings = claim.requestMappings ?? [];
  if (mappings.length === 0) found.required(`${path}.requestMappings`, 'at least one request mapping is required');
  const seen = new Set<string>();
  mappings.forEach(({ containerName = '', resourceName = '', requestName = '' }, index) => {
    const at = `${path}.requestMappings[${index}]`;
    const all = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
    const container = all.findLast(({ name = '' }) => name === containerName);
    if (container === undefined) {
      const detail = 'must match the name of an entry in spec.initContainers.name or spec.containers.name';
      found.invalid(`${at}.containerName`, containerName, detail);
    } else if (!Object.hasOwn(container.resources?.requests ?? {}, resourceName)) {
      const detail =
        'must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests';
      found.invalid(`${at}.resourceName`, resourceName, detail);
    }
    // The server leaves the place in the list out.
    found.label(`${path}.requestName`, requestName);
    const key = JSON.stringify([containerName, resourceName, requestName]);
    if (seen.has(key)) {
      for (const [field, value] of Object.entries({ containerName, resourceName, requestName })) {
        found.duplicate(`${at}.${field}`, value);
      }
    }
    seen.add(key);
  });
  const { resourceClaimName = '' } = claim;
  if (resourceClaimName === '') found.required(`${path}.resourceClaimName`);
  else found.subdomain(`${path}.resourceClaimName`, resourceClaimName);
}

function nominatedNodeProblems(found: Problems, pod: Unchecked<PodObject>, old: Status): void {
  const nominated = pod.status?.nominatedNodeName ?? '';
  if (nominated === '' || nominated === (old.nominatedNodeName ?? '')) return;
  found.subdomain('status.nominatedNodeName', nominated);
  if (pod.spec?.nodeName) {
    found.forbidden('status.nominatedNodeName', 'may not be set on pods that are already bound to a node');
  }
}

/** What has ended for good does not run again. */
function stateProblems(
  found: Problems,
  field: 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses',
  containers: readonly Unchecked<Container>[] = [],
  before: Statuses = [],
  { pod, status }: { readonly pod: Unchecked<PodObject>; readonly status: Status },
): void {
  before.forEach(({ name = '', state }, index) => {
    if (!state?.terminated) return;
    const now = status[field]?.find((each) => each.name === name);
    if (now === undefined || now.state?.terminated) return;
    const container = containers.find((each) => each.name === name);
    if (container && mayRestart(container, pod, state.terminated.exitCode ?? 0)) return;
    found.forbidden(`status.${field}[${index}].state`, 'may not be transitioned to non-terminated state');
  });
}

function mayRestart(container: Unchecked<Container>, { spec }: Unchecked<PodObject>, exitCode: number): boolean {
  for (const { exitCodes } of container.restartPolicyRules ?? []) {
    const isIn = exitCodes?.values?.includes(exitCode) ?? false;
    if (exitCodes?.operator === 'In' ? isIn : exitCodes?.operator === 'NotIn' && !isIn) return true;
  }
  const policy = container.restartPolicy ?? spec?.restartPolicy;
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

function addressesProblems(found: Problems, field: 'podIPs' | 'hostIPs', status: Status, old: Status): void {
  const addresses = (status[field] ?? []).map(({ ip = '' }) => ip);
  const existing = (old[field] ?? []).map(({ ip = '' }) => ip);
  addresses.forEach((address, index) => {
    found.add(addressProblems(`status.${field}[${index}]`, address, existing));
  });
  if (addresses.length < 2) return;
  const families = addresses.map(familyOf);
  const bad = families.indexOf(undefined);
  if (bad >= 0) {
    const detail = `failed to check for dual stack with error:invalid IP[${bad}]: ${addresses[bad]}`;
    found.add([problemWithoutValue('InternalError', `status.${field}`, detail)]);
  }
  if (bad < 0 && families.length === 2 && families[0] !== families[1]) return;
  const shown = `[${addresses.map((ip) => `{"IP":${goJson(ip)}}`).join(',')}]`;
  found.invalidShown(`status.${field}`, shown, 'may specify no more than one IP for each IP family');
}
