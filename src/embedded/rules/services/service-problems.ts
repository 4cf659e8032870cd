import type { KubeObject } from '../../../kube/manifest.js';
import type { FieldProblem } from '../../../schema/field-problem.js';
import { goQuote } from '../../../schema/go-format.js';
import { dns1123Label, dns1123Subdomain, qualifiedName } from '../../../schema/name-formats.js';
import { labelProblems } from '../../../schema/object-meta.js';
import { addressProblems, cidrProblems, endpointAddressProblems } from '../addresses.js';
import { portNumber, portNumberOrName, protocolProblems } from '../port-formats.js';
import { refuse } from '../refuse.js';
import { clusterIpProblems } from './cluster-ip-problems.js';
import { hasNodePorts, isHeadless, needsHealthCheck, type ServicePort, type ServiceSpec, specOf } from './service.js';
import { trafficProblems } from './traffic-problems.js';

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const sourceRanges = 'service.beta.kubernetes.io/load-balancer-source-ranges';
const topologyHints = 'service.kubernetes.io/topology-aware-hints';
const topologyMode = 'service.kubernetes.io/topology-mode';

/** What is wrong with a service as a whole, created or updated. */
export function serviceProblems(service: KubeObject, before?: KubeObject): readonly FieldProblem[] {
  const spec = specOf(service);
  const old = before === undefined ? undefined : specOf(before);
  const { annotations = {} } = service.metadata;
  const problems: FieldProblem[] = [];
  const hints = annotations[topologyHints];
  const mode = annotations[topologyMode];
  if (hints !== undefined && mode !== undefined && hints !== mode) {
    const detail = `must match annotations[${topologyHints}] when both are specified`;
    problems.push(refuse.invalid(`metadata.annotations[${topologyMode}]`, mode, detail));
  }
  const { ports = [], type } = spec;
  if (ports.length === 0 && !isHeadless(spec) && type !== 'ExternalName') problems.push(refuse.required('spec.ports'));
  if (hasNodePorts(spec) && isHeadless(spec)) {
    problems.push(refuse.invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`));
  }
  if (type === 'ExternalName') problems.push(...externalNameProblems(spec));

  const names = new Set<string>();
  ports.forEach((port, index) => {
    problems.push(...portProblems(port, `spec.ports[${index}]`, ports.length > 1, names));
  });
  problems.push(...labelProblems(spec.selector, 'spec.selector'));
  problems.push(...affinityProblems(spec));
  problems.push(...clusterIpProblems(spec, old));
  spec.externalIPs?.forEach((ip, index) => {
    const path = `spec.externalIPs[${index}]`;
    const bad = addressProblems(path, ip, old?.externalIPs);
    problems.push(...(bad.length > 0 ? bad : endpointAddressProblems(path, ip)));
  });
  if (!type) problems.push(refuse.required('spec.type'));
  else if (!types.includes(type)) problems.push(refuse.notSupported('spec.type', type, types));
  if (type === 'ClusterIP') {
    ports.forEach(({ nodePort }, index) => {
      if (!nodePort) return;
      problems.push(refuse.forbidden(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'"));
    });
  }
  problems.push(...duplicatePorts(ports));
  problems.push(...sourceRangeProblems(service, spec, before));
  problems.push(...loadBalancerProblems(spec));
  problems.push(...trafficProblems(spec));
  return problems;
}

/** What is wrong with fields that only a service with a load balancer has. */
function loadBalancerProblems(spec: ServiceSpec): readonly FieldProblem[] {
  if (spec.type === 'LoadBalancer') {
    return loadBalancerClassProblems(spec);
  }
  const only = "may only be used when `type` is 'LoadBalancer'";
  return [
    ...(spec.allocateLoadBalancerNodePorts === undefined
      ? []
      : [refuse.forbidden('spec.allocateLoadBalancerNodePorts', only)]),
    ...loadBalancerClassProblems(spec),
  ];
}

function loadBalancerClassProblems({ type, loadBalancerClass }: ServiceSpec): readonly FieldProblem[] {
  if (loadBalancerClass === undefined) return [];
  const path = 'spec.loadBalancerClass';
  return type === 'LoadBalancer'
    ? refuse.each(path, loadBalancerClass, qualifiedName(loadBalancerClass))
    : [refuse.forbidden(path, "may only be used when `type` is 'LoadBalancer'")];
}

/** What is wrong with a change of how a load balancer is made and asked for its health. */
export function loadBalancerChangeProblems(spec: ServiceSpec, old: ServiceSpec): readonly FieldProblem[] {
  const problems: FieldProblem[] = [];
  const isChanged = spec.loadBalancerClass !== old.loadBalancerClass;
  if (spec.type === 'LoadBalancer' && old.type === 'LoadBalancer' && isChanged) {
    const value = spec.loadBalancerClass ?? null;
    problems.push(refuse.invalid('spec.loadBalancerClass', value, 'may not change once set'));
  }
  problems.push(...loadBalancerClassProblems(spec));
  if (needsHealthCheck(old) && needsHealthCheck(spec) && old.healthCheckNodePort !== spec.healthCheckNodePort) {
    problems.push(refuse.forbidden('spec.healthCheckNodePort', 'field is immutable'));
  }
  return problems;
}

function externalNameProblems(spec: ServiceSpec): readonly FieldProblem[] {
  const problems: FieldProblem[] = [];
  const never = 'may not be set for ExternalName services';
  if (spec.clusterIPs?.length) problems.push(refuse.forbidden('spec.clusterIPs', never));
  if (spec.ipFamilies?.length) problems.push(refuse.forbidden('spec.ipFamilies', never));
  if (spec.ipFamilyPolicy !== undefined) problems.push(refuse.forbidden('spec.ipFamilyPolicy', never));
  const name = (spec.externalName ?? '').replace(/\.$/, '');
  if (name === '') problems.push(refuse.required('spec.externalName'));
  else problems.push(...refuse.each('spec.externalName', name, dns1123Subdomain(name)));
  return problems;
}

function portProblems(port: ServicePort, path: string, isOneOfMany: boolean, names: Set<string>) {
  const problems: FieldProblem[] = [];
  const { name = '', appProtocol } = port;
  if (name !== '') {
    problems.push(...refuse.each(`${path}.name`, name, dns1123Label(name)));
    if (names.has(name)) problems.push(refuse.duplicate(`${path}.name`, name));
    names.add(name);
  } else if (isOneOfMany) problems.push(refuse.required(`${path}.name`));
  problems.push(...refuse.each(`${path}.port`, port.port ?? 0, portNumber(port.port ?? 0)));
  problems.push(...protocolProblems(`${path}.protocol`, port.protocol));
  problems.push(...portNumberOrName(`${path}.targetPort`, port.targetPort ?? 0));
  if (appProtocol !== undefined) {
    problems.push(...refuse.each(`${path}.appProtocol`, appProtocol, qualifiedName(appProtocol)));
  }
  return problems;
}

function affinityProblems({ sessionAffinity, sessionAffinityConfig }: ServiceSpec): readonly FieldProblem[] {
  const path = 'spec.sessionAffinityConfig';
  if (!sessionAffinity) return [refuse.required('spec.sessionAffinity')];
  if (sessionAffinity === 'None') {
    return sessionAffinityConfig === undefined
      ? []
      : [refuse.forbidden(path, 'must not be set when session affinity is None')];
  }
  if (sessionAffinity !== 'ClientIP') {
    return [refuse.notSupported('spec.sessionAffinity', sessionAffinity, ['ClientIP', 'None'])];
  }
  const seconds = sessionAffinityConfig?.clientIP?.timeoutSeconds ?? 0;
  return seconds > 0 && seconds <= 86_400
    ? []
    : [refuse.invalid(`${path}.clientIP.timeoutSeconds`, seconds, 'must be greater than 0 and less than 86400')];
}

function duplicatePorts(ports: readonly ServicePort[]): readonly FieldProblem[] {
  const problems: FieldProblem[] = [];
  const nodePorts = new Set<string>();
  ports.forEach(({ protocol, nodePort }, index) => {
    if (!nodePort) return;
    const key = `${protocol} ${nodePort}`;
    if (nodePorts.has(key)) problems.push(refuse.duplicate(`spec.ports[${index}].nodePort`, nodePort));
    nodePorts.add(key);
  });
  const numbers = new Set<string>();
  ports.forEach(({ protocol = '' as const, port = 0 }, index) => {
    const key = `${protocol} ${port}`;
    if (numbers.has(key)) {
      const shown = `{"Name":"","Protocol":${goQuote(protocol)},"AppProtocol":null,"Port":${port},"TargetPort":0,"NodePort":0}`;
      problems.push(refuse.duplicateShown(`spec.ports[${index}]`, shown));
    }
    numbers.add(key);
  });
  return problems;
}

/** Ranges come from the field, or, as they did of old, from an annotation. Spaces around them are part of the API. */
function sourceRangeProblems(service: KubeObject, spec: ServiceSpec, before?: KubeObject): readonly FieldProblem[] {
  const only = "may only be used when `type` is 'LoadBalancer'";
  const ranges = spec.loadBalancerSourceRanges ?? [];
  if (ranges.length > 0) {
    const path = 'spec.LoadBalancerSourceRanges';
    const existing = before && specOf(before).loadBalancerSourceRanges?.map((each) => each.trim());
    return [
      ...(spec.type === 'LoadBalancer' ? [] : [refuse.forbidden(path, only)]),
      ...ranges.flatMap((each, index) => cidrProblems(`${path}[${index}]`, each.trim(), existing)),
    ];
  }
  const annotation = service.metadata.annotations?.[sourceRanges];
  if (annotation === undefined) return [];
  const path = `metadata.annotations[${sourceRanges}]`;
  const isNew = before?.metadata.annotations?.[sourceRanges] !== annotation;
  const given = isNew && annotation.trim() !== '' ? annotation.trim().split(',') : [];
  return [
    ...(spec.type === 'LoadBalancer' ? [] : [refuse.forbidden(path, only)]),
    ...given.flatMap((each) => cidrProblems(path, each.trim())),
  ];
}
