import type { EndpointSliceObject, ServiceObject, ServicePort } from '../../../imports/k8s.js';
import type { Json, KubeObject } from '../../kube/manifest.js';
import { controllerReferenceTo } from '../../kube/owner-reference.js';
import { equal } from '../fields/field-type.js';
import type { Revision } from '../object-store.js';
import { endpointSlices, endpoints, type Live, nodes, pods, services } from './built-in.js';
import { addressOf, type Controller, type Desk, keyOf, type Queue } from './controller.js';
import { type Backend, isHeadless, numberOf, slicesOf, subsetsOf } from './endpoint-contents.js';
import { hasAll } from './label-match.js';
import { isOfTerminatingNamespace } from './pod-from-template.js';
import { isFinished, isTerminating, type Pod } from './pod-state.js';

type Service = Live<ServiceObject>;

const headless = 'service.kubernetes.io/headless';
const serviceName = 'kubernetes.io/service-name';
const managedBy = 'endpointslice.kubernetes.io/managed-by';
const sliceController = 'endpointslice-controller.k8s.io';
const zone = 'topology.kubernetes.io/zone';
const reserved = [headless, serviceName, managedBy];

/** Where a Service leads: https://kubernetes.io/docs/concepts/services-networking/endpoint-slices/ */
export class ServiceEndpoints implements Controller {
  readonly name = 'service-endpoints';
  readonly hears = [services.storage, pods.storage, endpoints.storage, endpointSlices.storage, nodes.storage];

  constructor(private readonly desk: Desk) {}

  observe({ type, resource, object, before }: Revision, queue: Queue): void {
    const { namespace = '', labels } = object.metadata;
    if (resource === services.storage) queue.add(keyOf(object));
    else if (resource === nodes.storage) {
      if (zoneOf(object) === zoneOf(type === 'MODIFIED' ? before : undefined)) return;
      for (const service of this.desk.index.all(services)) queue.add(keyOf(service));
    } else if (resource === endpoints.storage) {
      // As the real one: what others make of Endpoints is theirs, with or without a Service.
      if (type === 'DELETED') queue.add(keyOf(object));
    } else if (resource === endpointSlices.storage) {
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
        zone: zoneOf(this.desk.index.get(nodes, undefined, pod.spec?.nodeName ?? '')),
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

function zoneOf(node: KubeObject | undefined): string | undefined {
  return node?.metadata.labels?.[zone] || undefined;
}

/** An empty list is none. */
function isEqualList(a: readonly unknown[] | null | undefined, b: readonly unknown[] | null): boolean {
  return equal((a ?? []) as Json, (b ?? []) as Json);
}

/** What of a Pod its endpoints tell. */
function relevant(object: Revision['object']): Json {
  const { metadata, spec, status } = object as Pod;
  const { labels = {}, deletionTimestamp = '' } = metadata;
  const conditions = status?.conditions?.map(({ type, status: value }) => ({ type, value })) ?? [];
  const { phase = '', podIP = '' } = status ?? {};
  return { labels, deletionTimestamp, nodeName: spec?.nodeName ?? '', phase, podIP, conditions } as unknown as Json;
}
