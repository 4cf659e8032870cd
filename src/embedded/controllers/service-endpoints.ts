import type {
  ContainerPort,
  EndpointPort,
  EndpointSliceObject,
  EndpointSubset,
  ServiceObject,
  ServicePort,
} from '../../../imports/k8s.js';
import type { Json } from '../../kube/manifest.js';
import { controllerReferenceTo } from '../../kube/owner-reference.js';
import { canonical, equal } from '../fields/field-type.js';
import type { Revision } from '../object-store.js';
import { endpointSlices, endpoints, type Live, pods, services } from './built-in.js';
import { addressOf, type Controller, type Desk, keyOf, type Queue } from './controller.js';
import { hasAll } from './label-match.js';
import { isOfTerminatingNamespace } from './pod-from-template.js';
import { isFinished, isReady, isTerminating, type Pod } from './pod-state.js';

type Service = Live<ServiceObject>;

const headless = 'service.kubernetes.io/headless';
const serviceName = 'kubernetes.io/service-name';
const managedBy = 'endpointslice.kubernetes.io/managed-by';
const sliceController = 'endpointslice-controller.k8s.io';
const reserved = [headless, serviceName, managedBy];
const atMost = 100;

/** A Pod behind a Service, with the port of each of the Service's ports. */
interface Backend {
  readonly pod: Pod;
  readonly ports: readonly (readonly [ServicePort, number])[];
}

interface SliceContent {
  readonly addressType: string;
  readonly endpoints: readonly object[] | null;
  readonly ports: readonly EndpointPort[] | null;
}

/** Where a Service leads: https://kubernetes.io/docs/concepts/services-networking/endpoint-slices/ */
export class ServiceEndpoints implements Controller {
  readonly name = 'service-endpoints';
  readonly hears = [services.storage, pods.storage, endpoints.storage, endpointSlices.storage];

  constructor(private readonly desk: Desk) {}

  observe({ type, resource, object, before }: Revision, queue: Queue): void {
    const { namespace = '', labels } = object.metadata;
    if (resource === services.storage || resource === endpoints.storage) queue.add(keyOf(object));
    else if (resource === endpointSlices.storage) {
      if (labels?.[serviceName] !== undefined) queue.add(`${namespace}/${labels[serviceName]}`);
    } else if (type !== 'MODIFIED' || !equal(relevant(object), relevant(before!))) {
      for (const service of this.desk.index.in(services.storage, namespace).values()) {
        const { selector } = (service as Service).spec ?? {};
        if (!selector) continue;
        if (hasAll(labels, selector) || (before && hasAll(before.metadata.labels, selector))) queue.add(keyOf(service));
      }
    }
  }

  reconcile(key: string): void {
    const { namespace, name } = addressOf(key);
    const service = this.desk.index.get(services, namespace, name);
    if (!service) {
      // EndpointSlices go by their owner reference.
      const left = this.desk.index.get(endpoints, namespace, name);
      if (left) this.desk.writer.delete(left);
      return;
    }
    if (service.spec?.type === 'ExternalName' || !service.spec?.selector || isTerminating(service)) return;
    const backends = this.#backends(service);
    try {
      this.#writeEndpoints(service, backends);
      this.#writeSlices(service, backends);
    } catch (error) {
      if (!isOfTerminatingNamespace(error)) throw error;
    }
  }

  #backends(service: Service): readonly Backend[] {
    const { selector, ports = [] } = service.spec!;
    return this.desk.index
      .list(pods, service.metadata.namespace!)
      .filter((pod) => hasAll(pod.metadata.labels, selector!) && pod.status?.podIP && !isFinished(pod))
      .map((pod) => ({
        pod,
        ports: ports.flatMap((port): (readonly [ServicePort, number])[] => {
          const number = numberOf(pod, port);
          return number === undefined ? [] : [[port, number]];
        }),
      }));
  }

  #writeEndpoints(service: Service, backends: readonly Backend[]): void {
    const { namespace, name, labels = {} } = service.metadata;
    const there = this.desk.index.get(endpoints, namespace, name);
    const subsets = subsetsOf(service, backends);
    const wanted = {
      ...labels,
      ...(isHeadless(service) ? { [headless]: '' } : {}),
      'endpoints.kubernetes.io/managed-by': 'endpoint-controller',
    };
    if (!there) {
      const metadata = { name, namespace, labels: wanted };
      this.desk.writer.create(endpoints, namespace, { metadata, ...(subsets.length > 0 ? { subsets } : {}) });
      return;
    }
    if (
      equal((there.subsets ?? []) as unknown as Json, subsets as unknown as Json) &&
      equal((there.metadata.labels ?? {}) as Json, wanted)
    ) {
      return;
    }
    this.desk.writer.update(endpoints, { ...there, metadata: { ...there.metadata, labels: wanted }, subsets });
  }

  #writeSlices(service: Service, backends: readonly Backend[]): void {
    const { namespace, name, labels = {} } = service.metadata;
    const own = Object.entries(labels).filter(([key]) => !reserved.includes(key));
    const wanted: Readonly<Record<string, string>> = {
      ...Object.fromEntries(own),
      ...(isHeadless(service) ? { [headless]: '' } : {}),
      [serviceName]: name,
      [managedBy]: sliceController,
    };
    const there = this.desk.index
      .list(endpointSlices, namespace!)
      .filter(
        ({ metadata }) => metadata.labels?.[serviceName] === name && metadata.labels[managedBy] === sliceController,
      );
    const families = service.spec!.ipFamilies ?? ['IPv4'];
    const contents = families.flatMap((family) => slicesOf(service, family, backends));
    for (const content of contents) {
      const isAlike = (slice: Live<EndpointSliceObject>) =>
        slice.addressType === content.addressType && isEqualList(slice.ports, content.ports);
      const found = there.findIndex(isAlike);
      const index = found >= 0 ? found : there.findIndex(({ addressType }) => addressType === content.addressType);
      const [slice] = index >= 0 ? there.splice(index, 1) : [];
      if (!slice) {
        const metadata = {
          generateName: `${name}-`,
          namespace,
          labels: wanted,
          ownerReferences: [controllerReferenceTo(service)],
        };
        this.desk.writer.create(endpointSlices, namespace, { metadata, ...content });
        continue;
      }
      const { metadata } = slice;
      const isSame =
        isEqualList(slice.endpoints, content.endpoints) &&
        isEqualList(slice.ports, content.ports) &&
        equal((metadata.labels ?? {}) as Json, wanted);
      if (!isSame)
        this.desk.writer.update(endpointSlices, { ...slice, ...content, metadata: { ...metadata, labels: wanted } });
    }
    for (const slice of there) this.desk.writer.delete(slice);
  }
}

/** An empty list is none. */
function isEqualList(a: readonly unknown[] | null | undefined, b: readonly unknown[] | null): boolean {
  return equal((a ?? []) as Json, (b ?? []) as Json);
}

/** By which ports they have, at most a hundred addresses each; one without any for a Service that leads nowhere. */
function slicesOf(service: Service, addressType: string, backends: readonly Backend[]): readonly SliceContent[] {
  const groups = new Map<string, { readonly ports: readonly EndpointPort[]; readonly pods: Pod[] }>();
  for (const { pod, ports } of backends) {
    if (addressesOf(pod, addressType).length === 0) continue;
    const shown = ports.map(([{ name = '', protocol = 'TCP', appProtocol }, port]) => ({
      name,
      ...(appProtocol === undefined ? {} : { appProtocol }),
      protocol,
      port,
    }));
    const key = canonical(shown as unknown as Json);
    const group = groups.get(key) ?? { ports: shown, pods: [] };
    group.pods.push(pod);
    groups.set(key, group);
  }
  if (groups.size === 0) return [{ addressType, endpoints: null, ports: null }];
  return [...groups.values()].flatMap(({ ports, pods: all }) => {
    const chunks = Array.from({ length: Math.ceil(all.length / atMost) }, (_, at) =>
      all.slice(at * atMost, (at + 1) * atMost),
    );
    return chunks.map((chunk) => ({
      addressType,
      endpoints: chunk.map((pod) => endpointOf(service, pod, addressType)),
      ports: ports.length > 0 ? ports : null,
    }));
  });
}

function endpointOf(service: Service, pod: Pod, addressType: string) {
  const serving = isReady(pod);
  const terminating = isTerminating(pod);
  const { nodeName, hostname } = pod.spec!;
  return {
    addresses: addressesOf(pod, addressType),
    conditions: {
      ready: service.spec!.publishNotReadyAddresses === true || (serving && !terminating),
      serving,
      terminating,
    },
    ...(hostname && pod.spec!.subdomain === service.metadata.name ? { hostname } : {}),
    ...(nodeName ? { nodeName } : {}),
    targetRef: referenceTo(pod),
  };
}

function subsetsOf(service: Service, backends: readonly Backend[]): readonly EndpointSubset[] {
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

function numberOf({ spec }: Pod, { port, targetPort, protocol = 'TCP' }: ServicePort): number | undefined {
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

function isHeadless({ spec }: Service): boolean {
  return spec?.clusterIP === 'None' || !spec?.clusterIP;
}

/** What of a Pod its endpoints tell. */
function relevant(object: Revision['object']): Json {
  const { metadata, spec, status } = object as Pod;
  const { labels = {}, deletionTimestamp = '' } = metadata;
  const conditions = status?.conditions?.map(({ type, status: value }) => ({ type, value })) ?? [];
  const { phase = '', podIP = '' } = status ?? {};
  return { labels, deletionTimestamp, nodeName: spec?.nodeName ?? '', phase, podIP, conditions } as unknown as Json;
}
