// Longer than most files: all the advice on Pods that the server gives, each a few lines.
import type { Container, NodeSelectorTerm, PodSpec, PodTemplateSpec } from '../../../../imports/k8s.js';
import { parseQuantity } from '../../../kube/quantity.js';
import { goQuote } from '../../../schema/go-format.js';
import { shownAmount } from '../amounts.js';
import { labelValue } from '../name-formats.js';
import type { Unchecked } from '../unchecked.js';
import { eachContainer } from './each-container.js';

type Annotations = Readonly<Record<string, string | undefined>>;

/** Labels of nodes that have another name today, and what the server says of them. */
const oldNodeLabels: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  'app.kubernetes.io/created-by': 'deprecated since v1.9',
  'scheduler.alpha.kubernetes.io/preferAvoidPods': 'deprecated since v1.22; use Taints and Tolerations instead',
  'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
};

const oldVolumes: Readonly<Record<string, string>> = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
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
  return podWarnings(`${path}.`, template.spec ?? {}, template.metadata?.annotations);
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
      warnings.push(`${path}.volumes[${index}].${shown}: ${message}`);
    }
  });
  listWarnings(warnings, path, spec);
  eachContainer(spec, path, (container, at) => containerWarnings(warnings, at, container));
  portWarnings(warnings, path, spec);
  const { terminationGracePeriodSeconds: grace } = spec;
  if (grace !== undefined && grace < 0) {
    const message = 'must be >= 0; negative values are invalid and will be treated as 1';
    warnings.push(`${path}.terminationGracePeriodSeconds: ${message}`);
  }
  affinityWarnings(warnings, path, spec);
  return warnings;
}

function schedulingWarnings(warnings: string[], path: string, spec: Unchecked<PodSpec>): void {
  for (const key in spec.nodeSelector) {
    if (key in oldNodeLabels) warnings.push(`${path}.nodeSelector[${key}]: ${oldNodeLabels[key]}`);
  }
  const nodes = spec.affinity?.nodeAffinity;
  const termWarnings = (at: string, term: Unchecked<NodeSelectorTerm>, judgesValues: boolean) => {
    term.matchExpressions?.forEach(({ key = '', values = [] }, index) => {
      const where = `${at}.matchExpressions[${index}]`;
      if (key in oldNodeLabels) warnings.push(`${where}.key: ${key} is ${oldNodeLabels[key]}`);
      if (!judgesValues) return;
      values.forEach((value, each) => {
        for (const message of labelValue(value))
          warnings.push(`${where}.values[${each}]: ${value} is invalid, ${message}`);
      });
    });
  };
  nodes?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms?.forEach((term, index) => {
    const at = `${path}.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`;
    termWarnings(`${at}[${index}]`, term, false);
  });
  nodes?.preferredDuringSchedulingIgnoredDuringExecution?.forEach(({ preference = {} }, index) => {
    const at = `${path}.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution`;
    termWarnings(`${at}[${index}].preference`, preference, true);
  });
  spec.topologySpreadConstraints?.forEach(({ topologyKey = '', labelSelector }, index) => {
    const at = `${path}.topologySpreadConstraints[${index}]`;
    if (topologyKey in oldNodeLabels) {
      warnings.push(`${at}.topologyKey: ${topologyKey} is ${oldNodeLabels[topologyKey]}`);
    }
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
  fractionWarnings(warnings, `${path}.overhead`, spec.overhead, ['memory', 'ephemeral-storage']);
}

function containerWarnings(warnings: string[], path: string, container: Unchecked<Container>): void {
  const { limits, requests } = container.resources ?? {};
  for (const name of ['memory', 'ephemeral-storage']) {
    fractionWarnings(warnings, `${path}.resources.limits`, limits, [name]);
    fractionWarnings(warnings, `${path}.resources.requests`, requests, [name]);
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

/** There is no half a byte. */
function fractionWarnings(
  warnings: string[],
  path: string,
  amounts: Readonly<Record<string, string | number | undefined>> | undefined,
  names: readonly string[],
): void {
  for (const name of names) {
    const amount = amounts?.[name];
    if (amount === undefined) continue;
    const { unscaled, exponent } = parseQuantity(String(amount));
    if (exponent >= 0 || unscaled % 10n ** BigInt(-exponent) === 0n) continue;
    const message = `fractional byte value ${goQuote(shownAmount(amount))} is invalid, must be an integer`;
    warnings.push(`${path}[${name}]: ${message}`);
  }
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
