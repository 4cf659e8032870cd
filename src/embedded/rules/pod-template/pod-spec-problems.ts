import type { PodSpec } from '../../../../imports/k8s.js';
import { betweenInclusive } from '../../../schema/name-formats.js';
import { labelProblems } from '../../../schema/object-meta.js';
import { addressProblems } from '../addresses.js';
import type { Problems } from '../problems.js';
import { containerResourceNameProblems } from '../resource-names.js';
import type { Unchecked } from '../unchecked.js';
import { affinityProblems } from './affinity-problems.js';
import { type AroundContainers, containersProblems, initContainersProblems } from './container-problems.js';
import { dnsProblems } from './dns-problems.js';
import { eachContainer } from './each-container.js';
import { ephemeralContainersProblems } from './ephemeral-container-problems.js';
import { internalJson } from './internal-json.js';
import { podResourcesProblems } from './pod-resources-problems.js';
import { resourceProblems } from './resource-problems.js';
import { podSecurityProblems } from './security-problems.js';
import { tolerationProblems } from './toleration-problems.js';
import { topologySpreadProblems } from './topology-spread-problems.js';
import { volumeProblems } from './volume-problems.js';
import { hostProcessProblems, operatingSystemProblems } from './windows-problems.js';

export interface PodContext {
  /** True for a Pod, false for a template of Pods, of which the server asks less. */
  readonly isPod: boolean;
  readonly podName?: string;
}

const restartPolicies = ['Always', 'OnFailure', 'Never'];
const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const preemptionPolicies = ['PreemptLowerPriority', 'Never'];

/** https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/#PodSpec */
export function podSpecProblems(found: Problems, path: string, spec: Unchecked<PodSpec>, context: PodContext): void {
  const volumes = volumeProblems(found, `${path}.volumes`, spec.volumes ?? [], context);
  const claimNames = new Set((spec.resourceClaims ?? []).flatMap(({ name }) => (name ? [name] : [])));
  if (spec.resourceClaims) claimProblems(found, `${path}.resourceClaims`, spec.resourceClaims);
  const around: AroundContainers = { spec, volumes, claimNames };
  containersProblems(found, `${path}.containers`, around);
  initContainersProblems(found, `${path}.initContainers`, around);
  ephemeralContainersProblems(found, `${path}.ephemeralContainers`, around);
  if (spec.resources) podResourcesProblems(found, `${path}.resources`, spec, claimNames);
  if (spec.hostNetwork === true) hostPorts(found, `${path}.containers`, spec, context);
  oneOf(found, `${path}.restartPolicy`, spec.restartPolicy ?? '', restartPolicies);
  oneOf(found, `${path}.dnsPolicy`, spec.dnsPolicy ?? '', dnsPolicies);
  found.add(labelProblems(spec.nodeSelector as Record<string, string> | undefined, `${path}.nodeSelector`));
  podSecurityProblems(found, `${path}.securityContext`, spec);
  if (spec.affinity) affinityProblems(found, `${path}.affinity`, spec.affinity);
  dnsProblems(found, `${path}.dnsConfig`, spec);
  spec.readinessGates?.forEach(({ conditionType = '' }, index) => {
    found.qualifiedName(`${path}.readinessGates[${index}].conditionType`, conditionType);
  });
  if (spec.schedulingGates) schedulingGates(found, `${path}.schedulingGates`, spec.schedulingGates);
  if (spec.topologySpreadConstraints) {
    topologySpreadProblems(found, `${path}.topologySpreadConstraints`, spec.topologySpreadConstraints);
  }
  hostProcessProblems(found, path, spec);
  if (spec.hostUsers === false) ownUsers(found, path, spec);
  hostnameOverride(found, path, spec);
  remainingFields(found, path, spec);
  operatingSystemProblems(found, path, spec);
  fileReferences(found, path, spec);
}

function remainingFields(found: Problems, path: string, spec: Unchecked<PodSpec>): void {
  if (spec.serviceAccountName) found.subdomain(`${path}.serviceAccountName`, spec.serviceAccountName);
  if (spec.nodeName) found.subdomain(`${path}.nodeName`, spec.nodeName);
  const { activeDeadlineSeconds: deadline } = spec;
  if (deadline !== undefined && (deadline < 1 || deadline > 2 ** 31 - 1)) {
    found.invalid(`${path}.activeDeadlineSeconds`, deadline, betweenInclusive(1, 2 ** 31 - 1));
  }
  if (spec.hostname) found.label(`${path}.hostname`, spec.hostname);
  if (spec.subdomain) found.label(`${path}.subdomain`, spec.subdomain);
  if (spec.tolerations) tolerationProblems(found, `${path}.tolerations`, spec.tolerations);
  spec.hostAliases?.forEach(({ ip = '', hostnames = [] }, index) => {
    found.add(addressProblems(`${path}.hostAliases[${index}].ip`, ip));
    hostnames.forEach((hostname, at) => {
      found.subdomain(`${path}.hostAliases[${index}].hostnames[${at}]`, hostname);
    });
  });
  if (spec.priorityClassName) found.subdomain(`${path}.priorityClassName`, spec.priorityClassName);
  if (spec.runtimeClassName !== undefined) found.subdomain(`${path}.runtimeClassName`, spec.runtimeClassName);
  if (spec.preemptionPolicy !== undefined) {
    oneOf(found, `${path}.preemptionPolicy`, spec.preemptionPolicy, preemptionPolicies);
  }
  if (spec.overhead) {
    const limits = { limits: spec.overhead };
    resourceProblems(found, `${path}.overhead`, limits, new Set(), containerResourceNameProblems);
  }
}

function oneOf(found: Problems, path: string, value: string, supported: readonly string[]): void {
  if (value === '') found.required(path);
  else if (!supported.includes(value)) found.notSupported(path, value, supported);
}

function claimProblems(found: Problems, path: string, claims: NonNullable<Unchecked<PodSpec>['resourceClaims']>): void {
  const names = new Set<string>();
  claims.forEach((claim, index) => {
    const at = `${path}[${index}]`;
    const { name = '', resourceClaimName: own, resourceClaimTemplateName: template } = claim;
    if (name === '') found.required(`${at}.name`);
    else if (names.has(name)) found.duplicate(`${at}.name`, name);
    else found.label(`${at}.name`, name);
    names.add(name);
    const fields = '`resourceClaimName`, `resourceClaimTemplateName`';
    if (own !== undefined && template !== undefined) {
      const detail = `at most one of ${fields.replace(',', ' or')} may be specified`;
      found.invalidShown(at, internalJson('PodResourceClaim', claim), detail);
    }
    if (own === undefined && template === undefined) {
      found.invalidShown(at, internalJson('PodResourceClaim', claim), `must specify one of: ${fields}`);
    }
    if (own !== undefined) found.subdomain(`${at}.resourceClaimName`, own);
    if (template !== undefined) found.subdomain(`${at}.resourceClaimTemplateName`, template);
  });
}

function hostPorts(found: Problems, path: string, spec: Unchecked<PodSpec>, { isPod }: PodContext): void {
  spec.containers?.forEach(({ ports = [] }, container) => {
    ports.forEach(({ hostPort = 0, containerPort = 0 }, index) => {
      if ((!isPod && hostPort === 0) || hostPort === containerPort) return;
      const at = `${path}[${container}].ports[${index}].hostPort`;
      found.invalid(at, hostPort, 'must match `containerPort` when `hostNetwork` is true');
    });
  });
}

function schedulingGates(
  found: Problems,
  path: string,
  gates: NonNullable<Unchecked<PodSpec>['schedulingGates']>,
): void {
  const seen = new Set<string>();
  gates.forEach(({ name = '' }, index) => {
    found.qualifiedName(`${path}[${index}]`, name);
    if (seen.has(name)) found.duplicate(`${path}[${index}]`, name);
    seen.add(name);
  });
}

/** https://kubernetes.io/docs/concepts/workloads/pods/user-namespaces/ */
function ownUsers(found: Problems, path: string, spec: Unchecked<PodSpec>): void {
  const detail = 'when `hostUsers` is false';
  if (spec.hostNetwork) found.forbidden(`${path}.hostNetwork`, detail);
  if (spec.hostPID) found.forbidden(`${path}.HostPID`, detail);
  if (spec.hostIPC) found.forbidden(`${path}.HostIPC`, detail);
  eachContainer(spec, path, ({ volumeDevices = [] }, at) => {
    if (volumeDevices.length > 0) found.forbidden(`${at}.volumeDevices`, detail);
  });
}

function hostnameOverride(found: Problems, path: string, spec: Unchecked<PodSpec>): void {
  const { hostnameOverride: name } = spec;
  if (name === undefined) return;
  const at = `${path}.hostnameOverride`;
  if (spec.setHostnameAsFQDN) found.forbidden(at, 'may not be specified when setHostnameAsFQDN is true');
  if (spec.hostNetwork) found.forbidden(at, 'may not be specified when hostNetwork is true');
  if (name.length > 64) found.tooLong(at, 64);
  found.subdomain(at, name);
}

/** Variables that come from a file need the volume that has it. */
function fileReferences(found: Problems, path: string, spec: Unchecked<PodSpec>): void {
  eachContainer(spec, path, ({ env = [] }, at) => {
    env.forEach(({ valueFrom }, index) => {
      if (!valueFrom?.fileKeyRef) return;
      const { volumeName = '' } = valueFrom.fileKeyRef;
      const where = `${at}.env[${index}].valueFrom.fileKeyRef.volumeName`;
      const volume = spec.volumes?.findLast((each) => (each.name ?? '') === volumeName);
      if (volume === undefined) found.notFound(where, volumeName);
      else if (!volume.emptyDir) found.invalid(where, volumeName, 'referenced volume must be of type emptyDir');
    });
  });
}
