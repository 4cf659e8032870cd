// All the advice on Pods that the server gives, each a few lines.
import type { Container, PodSpec, PodTemplateSpec } from '../../../../imports/k8s.js';
import { goQuote } from '../../../schema/go-format.js';
import { addressWarnings } from '../address-warnings.js';
import { claimSpecWarnings, fractionWarnings } from '../fraction-warnings.js';
import { nodeTermWarnings, oldNodeLabel } from '../old-node-labels.js';
import type { Unchecked } from '../unchecked.js';
import { isSame } from '../workloads/selector-of-workload.js';
import { appArmorAnnotation, appArmorIn, appArmorWarning } from './app-armor-annotation.js';
import { eachContainer } from './each-container.js';
import { overlapWarnings } from './overlap-warnings.js';

type Annotations = Readonly<Record<string, string | undefined>>;

const oldVolumes: Readonly<Record<string, string>> = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  // Of a claim it is said here what is odd in it.
  ephemeral: '',
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
};

const oldAnnotations: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
};

/** Advice on a template of Pods that is accepted. */
export function podTemplateWarnings(path: string, template: Unchecked<PodTemplateSpec>): readonly string[] {
  const { spec = {}, metadata } = template;
  return podWarnings(`${path}.`, spec, metadata?.annotations);
}

/** The same of a Pod; `prefix` ends with a dot, or is empty. */
export function podWarnings(
  prefix: string,
  spec: Unchecked<PodSpec>,
  annotations: Annotations = {},
): readonly string[] {
  const path = `${prefix}spec`;
  const warnings: string[] = [];
  schedulingWarnings(warnings, path, spec);
  for (const [key, message] of Object.entries(oldAnnotations)) {
    if (annotations[key] !== undefined) warnings.push(`${prefix}metadata.annotations[${key}]: ${message}`);
  }
  spec.volumes?.forEach((volume, index) => {
    for (const [field, message] of Object.entries(oldVolumes)) {
      if (!(field in volume)) continue;
      const shown = field === 'storageos' ? 'storageOS' : field;
      const at = `${path}.volumes[${index}].${shown}`;
      if (field !== 'ephemeral') warnings.push(`${at}: ${message}`);
      else
        warnings.push(
          ...claimSpecWarnings(`${at}.volumeClaimTemplate.spec`, volume.ephemeral?.volumeClaimTemplate?.spec),
        );
    }
  });
  warnings.push(...overlapWarnings(spec.volumes));
  listWarnings(warnings, path, spec);
  if (annotations[podSeccomp] !== undefined && !spec.securityContext?.seccompProfile) {
    warnings.push(`${prefix}metadata.annotations[${podSeccomp}]: ${noSeccomp}`);
  }
  eachContainer(spec, path, (container, at) => {
    annotationWarnings(warnings, prefix, container, annotations, spec);
    containerWarnings(warnings, at, container);
  });
  portWarnings(warnings, path, spec);
  const { terminationGracePeriodSeconds: grace } = spec;
  if (grace !== undefined && grace < 0) {
    const message = 'must be >= 0; negative values are invalid and will be treated as 1';
    warnings.push(`${path}.terminationGracePeriodSeconds: ${message}`);
  }
  affinityWarnings(warnings, path, spec);
  spec.dnsConfig?.nameservers?.forEach((server, index) => {
    warnings.push(...addressWarnings(`${path}.dnsConfig.nameservers[${index}]`, server));
  });
  spec.hostAliases?.forEach(({ ip = '' }, index) => {
    warnings.push(...addressWarnings(`${path}.hostAliases[${index}].ip`, ip));
  });
  return warnings;
}

const podSeccomp = 'seccomp.security.alpha.kubernetes.io/pod';
const noSeccomp = 'non-functional in v1.27+; use the "seccompProfile" field instead';

/** Annotations that have become fields. Of a Pod itself, AppArmor is taken from them, and spoken of then. */
function annotationWarnings(
  warnings: string[],
  prefix: string,
  { name = '', securityContext }: Unchecked<Container>,
  annotations: Annotations,
  spec: Unchecked<PodSpec>,
): void {
  const at = (key: string) => `${prefix}metadata.annotations[${key}]`;
  const seccomp = `container.seccomp.security.alpha.kubernetes.io/${name}`;
  if (annotations[seccomp] !== undefined && !securityContext?.seccompProfile) {
    warnings.push(`${at(seccomp)}: ${noSeccomp}`);
  }
  const appArmor = appArmorAnnotation(name);
  const profile = annotations[appArmor];
  if (prefix === '' || profile === undefined || securityContext?.appArmorProfile) return;
  const ofPod = spec.securityContext?.appArmorProfile;
  if (ofPod && isSame(ofPod, appArmorIn(profile))) return;
  warnings.push(appArmorWarning(at(appArmor)));
}

function schedulingWarnings(warnings: string[], path: string, spec: Unchecked<PodSpec>): void {
  for (const key in spec.nodeSelector) {
    const message = oldNodeLabel(key);
    if (message) warnings.push(`${path}.nodeSelector[${key}]: ${message}`);
  }
  const nodes = spec.affinity?.nodeAffinity;
  nodes?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms?.forEach((term, index) => {
    const at = `${path}.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`;
    warnings.push(...nodeTermWarnings(`${at}[${index}]`, term, { judgesValues: false }));
  });
  nodes?.preferredDuringSchedulingIgnoredDuringExecution?.forEach(({ preference = {} }, index) => {
    const at = `${path}.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution`;
    warnings.push(...nodeTermWarnings(`${at}[${index}].preference`, preference, { judgesValues: true }));
  });
  spec.topologySpreadConstraints?.forEach(({ topologyKey = '', labelSelector }, index) => {
    const at = `${path}.topologySpreadConstraints[${index}]`;
    const message = oldNodeLabel(topologyKey);
    if (message) warnings.push(`${at}.topologyKey: ${topologyKey} is ${message}`);
    if (labelSelector === undefined) warnings.push(`${at}.labelSelector: ${matchesNone}`);
  });
}

const matchesNone = 'a null labelSelector results in matching no pod';

function affinityWarnings(warnings: string[], path: string, { affinity }: Unchecked<PodSpec>): void {
  for (const field of ['podAffinity', 'podAntiAffinity'] as const) {
    const at = `${path}.affinity.${field}`;
    affinity?.[field]?.requiredDuringSchedulingIgnoredDuringExecution?.forEach(({ labelSelector }, index) => {
      if (labelSelector !== undefined) return;
      warnings.push(`${at}.requiredDuringSchedulingIgnoredDuringExecution[${index}].labelSelector: ${matchesNone}`);
    });
    affinity?.[field]?.preferredDuringSchedulingIgnoredDuringExecution?.forEach(({ podAffinityTerm }, index) => {
      if (podAffinityTerm?.labelSelector !== undefined) return;
      const where = `${at}.preferredDuringSchedulingIgnoredDuringExecution[${index}].podAffinityTerm`;
      warnings.push(`${where}.labelSelector: ${matchesNone}`);
    });
  }
}

function listWarnings(warnings: string[], path: string, spec: Unchecked<PodSpec>): void {
  const addresses = new Set<string>();
  spec.hostAliases?.forEach(({ ip = '' }, index) => {
    if (addresses.has(ip)) warnings.push(`${path}.hostAliases[${index}].ip: duplicate ip ${goQuote(ip)}`);
    addresses.add(ip);
  });
  const secrets = new Set<string>();
  spec.imagePullSecrets?.forEach(({ name = '' }, index) => {
    const at = `${path}.imagePullSecrets[${index}].name`;
    if (secrets.has(name)) warnings.push(`${at}: duplicate name ${goQuote(name)}`);
    secrets.add(name);
  });
  spec.imagePullSecrets?.forEach(({ name = '' }, index) => {
    if (name === '') warnings.push(`${path}.imagePullSecrets[${index}].name: invalid empty name ""`);
  });
  for (const name of ['memory', 'ephemeral-storage']) {
    warnings.push(...fractionWarnings(`${path}.overhead`, spec.overhead, name));
  }
}

function containerWarnings(warnings: string[], path: string, container: Unchecked<Container>): void {
  const { limits, requests } = container.resources ?? {};
  for (const name of ['memory', 'ephemeral-storage']) {
    warnings.push(...fractionWarnings(`${path}.resources.limits`, limits, name));
    warnings.push(...fractionWarnings(`${path}.resources.requests`, requests, name));
  }
  const names = new Set<string>();
  container.env?.forEach(({ name = '', value = '', valueFrom }, index) => {
    const reference = `$(${name})`;
    const hides = valueFrom !== undefined || value === reference || !value.includes(reference);
    if (names.has(name) && hides) {
      const message = `hides previous definition of ${goQuote(name)}, which may be dropped when using apply`;
      warnings.push(`${path}.env[${index}]: ${message}`);
    }
    names.add(name);
  });
}

function portWarnings(warnings: string[], path: string, spec: Unchecked<PodSpec>): void {
  const ports = new Map<string, { readonly at: string; readonly hostPort: number; readonly hostIP: string }[]>();
  const names = new Map<string, string>();
  const byName: string[] = [];
  eachContainer(spec, path, (container, of) => {
    container.ports?.forEach(({ name = '', containerPort = 0, protocol = '', hostPort = 0, hostIP = '' }, index) => {
      const at = `${of}.ports[${index}]`;
      if (hostIP !== '' && hostPort === 0) {
        const shown = `{Name:${name} HostPort:0 ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
        warnings.push(`${at}: hostIP set without hostPort: ${shown}`);
      }
      const others = ports.get(`${containerPort}/${protocol}`) ?? [];
      for (const other of others) {
        const kind =
          hostIP === other.hostIP && hostPort === other.hostPort
            ? 'duplicate'
            : hostPort === 0 || other.hostPort === 0
              ? 'overlapping'
              : hostPort === other.hostPort && (hostIP === '') !== (other.hostIP === '')
                ? 'dangerously ambiguous'
                : undefined;
        if (kind !== undefined) warnings.push(`${at}: ${kind} port definition with ${other.at}`);
      }
      ports.set(`${containerPort}/${protocol}`, [...others, { at, hostPort, hostIP }]);
      if (name === '') return;
      const first = names.get(name);
      if (first === undefined) names.set(name, at);
      else {
        const use = `services and probes that select ports by name will use ${first}`;
        byName.push(`${at}: duplicate port name ${goQuote(name)} with ${first}, ${use}`);
      }
    });
  });
  warnings.push(...byName);
}
