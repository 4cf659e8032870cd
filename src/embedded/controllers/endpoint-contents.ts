import type { ContainerPort, EndpointPort, EndpointSubset, ServiceObject, ServicePort } from '../../../imports/k8s.js';
import { canonical } from '../../kube/canonical-json.js';
import type { Json } from '../../kube/manifest.js';
import type { Live } from './built-in.js';
import { isReady, isTerminating, type Pod } from './pod-state.js';

type Service = Live<ServiceObject>;

const atMost = 100;

/** A Pod behind a Service, with the port of each of the Service's ports. */
export interface Backend {
  readonly pod: Pod;
  /** Of the Node that the Pod is on. */
  readonly zone?: string | undefined;
  readonly ports: readonly (readonly [ServicePort, number])[];
}

export interface SliceContent {
  readonly addressType: string;
  readonly endpoints: readonly object[] | null;
  readonly ports: readonly EndpointPort[] | null;
}

/** By which ports they have, at most a hundred addresses each; one without any for a Service that leads nowhere. */
export function slicesOf(service: Service, addressType: string, backends: readonly Backend[]): readonly SliceContent[] {
  const groups = new Map<string, { readonly ports: readonly EndpointPort[]; readonly backends: Backend[] }>();
  for (const backend of backends) {
    const { pod, ports } = backend;
    if (addressesOf(pod, addressType).length === 0) continue;
    const shown = ports.map(([{ name = '', protocol = 'TCP', appProtocol }, port]) => ({
      name,
      ...(appProtocol === undefined ? {} : { appProtocol }),
      protocol,
      port,
    }));
    const key = canonical(shown as unknown as Json);
    const group = groups.get(key) ?? { ports: shown, backends: [] };
    group.backends.push(backend);
    groups.set(key, group);
  }
  if (groups.size === 0) return [{ addressType, endpoints: null, ports: null }];
  return [...groups.values()].flatMap(({ ports, backends: all }) => {
    const chunks = Array.from({ length: Math.ceil(all.length / atMost) }, (_, at) =>
      all.slice(at * atMost, (at + 1) * atMost),
    );
    return chunks.map((chunk) => ({
      addressType,
      endpoints: chunk.map((backend) => endpointOf(service, backend, addressType)),
      ports: ports.length > 0 ? ports : null,
    }));
  });
}

function endpointOf(service: Service, { pod, zone }: Backend, addressType: string) {
  const serving = isReady(pod);
  const terminating = isTerminating(pod);
  const ready = service.spec!.publishNotReadyAddresses === true || (serving && !terminating);
  const { nodeName, hostname } = pod.spec!;
  const hints = ready ? hintsOf(service, nodeName, zone) : undefined;
  return {
    addresses: addressesOf(pod, addressType),
    conditions: { ready, serving, terminating },
    ...(hints ? { hints } : {}),
    ...(hostname && pod.spec!.subdomain === service.metadata.name ? { hostname } : {}),
    ...(nodeName ? { nodeName } : {}),
    targetRef: referenceTo(pod),
    ...(zone ? { zone } : {}),
  };
}

/** For whom an endpoint is: https://kubernetes.io/docs/concepts/services-networking/service/#traffic-distribution */
function hintsOf({ spec }: Service, node: string | undefined, zone: string | undefined) {
  const { trafficDistribution } = spec!;
  if (!trafficDistribution) return undefined;
  const forNodes = trafficDistribution === 'PreferSameNode' && node ? { forNodes: [{ name: node }] } : undefined;
  const forZones = zone ? { forZones: [{ name: zone }] } : undefined;
  return forNodes || forZones ? { ...forNodes, ...forZones } : undefined;
}

export function subsetsOf(service: Service, backends: readonly Backend[]): readonly EndpointSubset[] {
  interface Group {
    readonly ready: object[];
    readonly notReady: object[];
    readonly ports: readonly object[];
  }
  const groups = new Map<string, Group>();
  const publishes = service.spec!.publishNotReadyAddresses === true;
  for (const { pod, ports } of backends) {
    if (isTerminating(pod) && !publishes) continue;
    if (ports.length === 0 && !(isHeadless(service) && !service.spec!.ports?.length)) continue;
    const shown = ports.map(([{ name, protocol = 'TCP', appProtocol }, port]) => ({
      ...(name ? { name } : {}),
      port,
      protocol,
      ...(appProtocol === undefined ? {} : { appProtocol }),
    }));
    const group = groups.get(canonical(shown)) ?? { ready: [], notReady: [], ports: shown };
    groups.set(canonical(shown), group);
    const { nodeName, hostname, subdomain } = pod.spec!;
    (publishes || isReady(pod) ? group.ready : group.notReady).push({
      ip: pod.status!.podIP!,
      ...(hostname && subdomain === service.metadata.name ? { hostname } : {}),
      ...(nodeName ? { nodeName } : {}),
      targetRef: referenceTo(pod),
    });
  }
  return [...groups.values()].map(({ ready, notReady, ports }) => ({
    ...(ready.length > 0 ? { addresses: ready.sort(byAddress) } : {}),
    ...(notReady.length > 0 ? { notReadyAddresses: notReady.sort(byAddress) } : {}),
    ...(ports.length > 0
      ? { ports: [...ports].sort((a, b) => (canonical(a as Json) < canonical(b as Json) ? -1 : 1)) }
      : {}),
  })) as unknown as readonly EndpointSubset[];
}

function byAddress(a: object, b: object): number {
  return (a as { ip: string }).ip < (b as { ip: string }).ip ? -1 : 1;
}

function referenceTo({ metadata: { namespace, name, uid } }: Pod) {
  return { kind: 'Pod', namespace: namespace!, name, uid };
}

function addressesOf({ status }: Pod, family: string): readonly string[] {
  const all = status?.podIPs?.map(({ ip }) => ip) ?? (status?.podIP ? [status.podIP] : []);
  return all.filter((ip) => ip.includes(':') === (family === 'IPv6'));
}

export function numberOf({ spec }: Pod, { port, targetPort, protocol = 'TCP' }: ServicePort): number | undefined {
  if (typeof targetPort !== 'string') return targetPort || port;
  const isIt = (each: ContainerPort) => each.name === targetPort && (each.protocol ?? 'TCP') === protocol;
  const all = [
    ...(spec?.containers ?? []),
    ...(spec?.initContainers ?? []).filter((each) => each.restartPolicy === 'Always'),
  ];
  for (const { ports = [] } of all) {
    const found = ports.find(isIt);
    if (found) return found.containerPort;
  }
  return undefined;
}

export function isHeadless({ spec }: Service): boolean {
  return spec?.clusterIP === 'None' || !spec?.clusterIP;
}
