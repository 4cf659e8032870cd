import type { KubeObject } from '../../../kube/manifest.js';
import type { World } from '../../kinds/served-kind.js';
import { internalError } from '../../status-error.js';
import { refuse } from '../refuse.js';
import { refuseService } from './refuse-service.js';
import {
  getsNodePorts,
  hasNodePorts,
  needsHealthCheck,
  nodePortsOf,
  type Service,
  type ServicePort,
  specOf,
} from './service.js';

const first = 30_000;
const last = 32_767;
/** Below it is what people choose; the server itself begins above, so that it seldom takes what somebody wants. */
const firstDynamic = first + 86;
const dummy = 32_768;

/**
 * The ports of nodes as services hold them: taken by what is stored, and by what one request takes.
 *
 * https://kubernetes.io/docs/concepts/services-networking/service/#type-nodeport
 */
class NodePorts {
  readonly #taken: Set<number>;
  /** By a dry run, which takes none. */
  readonly #meant: number[] = [];

  constructor(
    private readonly world: World,
    private readonly dryRun: boolean,
  ) {
    this.#taken = new Set(world.list('services').flatMap(portsHeldBy));
  }

  /** Takes a port that was asked for. Returns why it cannot be had. A dry run does not look at the range. */
  take(port: number): string | undefined {
    this.#meant.push(port);
    if (!this.dryRun && (port < first || port > last)) {
      return `provided port is not in the valid range. The range of valid ports is ${first}-${last}`;
    }
    if (this.#taken.has(port)) return 'provided port is already allocated';
    this.#taken.add(port);
    return undefined;
  }

  /** Takes a free port. To a dry run it shows one that nobody can have. */
  next(): number {
    if (this.dryRun) {
      const port = Math.max(...this.#meant, this.#meant.length === 0 ? dummy : 0) + 1;
      this.#meant.push(port);
      return port;
    }
    const port = this.#free(firstDynamic, last - firstDynamic + 1) ?? this.#free(first, firstDynamic - first);
    if (port === undefined) {
      throw internalError('Internal error occurred: failed to allocate a nodePort: range is full');
    }
    this.#taken.add(port);
    return port;
  }

  #free(from: number, size: number): number | undefined {
    const offset = Math.floor(this.world.random() * size);
    for (let step = 0; step < size; step++) {
      const port = from + ((offset + step) % size);
      if (!this.#taken.has(port)) return port;
    }
    return undefined;
  }
}

/** Gives a new service the ports on nodes that it needs. Throws where one that it asks for is taken. */
export function allocateNodePorts(service: Service, world: World, dryRun = false): void {
  const spec = service.spec ?? {};
  if (!hasNodePorts(spec)) return;
  const nodePorts = new NodePorts(world, dryRun);
  const byPort = new Map<number, number>();
  (spec.ports ?? []).forEach((port, index, all) => {
    if (!port.nodePort && !getsNodePorts(spec)) return;
    const allocated = byPort.get(port.port);
    if (allocated === undefined) {
      const requested = requestedFor(port.port, all);
      if (requested !== undefined) take(nodePorts, service, index, requested);
      port.nodePort = requested ?? nodePorts.next();
      byPort.set(port.port, port.nodePort);
    } else if (!port.nodePort) {
      // TCP and UDP of one port share it.
      port.nodePort = allocated;
    } else if (port.nodePort !== allocated) take(nodePorts, service, index, port.nodePort);
  });
  if (needsHealthCheck(spec)) allocateHealthCheck(service, nodePorts);
}

/** Gives a changed service the ports on nodes that it lacks, and lets it take others than before. */
export function reallocateNodePorts(service: Service, old: KubeObject, world: World, dryRun = false): void {
  const spec = service.spec ?? {};
  if (!hasNodePorts(spec)) return;
  const nodePorts = new NodePorts(world, dryRun);
  const held = new Set(nodePortsOf(specOf(old)));
  const seen = new Set<string>();
  (spec.ports ?? []).forEach((port, index) => {
    if (!port.nodePort && !getsNodePorts(spec)) return;
    if (!port.nodePort) port.nodePort = nodePorts.next();
    else if (!held.has(port.nodePort)) {
      take(nodePorts, service, index, port.nodePort);
      held.add(port.nodePort);
    }
    const key = `{${port.protocol} ${port.nodePort}}`;
    if (seen.has(key)) throw internalError(`duplicate nodePort: ${key}`);
    seen.add(key);
  });
  if (needsHealthCheck(spec) && !needsHealthCheck(specOf(old))) allocateHealthCheck(service, nodePorts);
}

function take(nodePorts: NodePorts, service: Service, index: number, port: number): void {
  const because = nodePorts.take(port);
  if (because === undefined) return;
  throw refuseService(service, [refuse.invalid(`spec.ports[${index}].nodePort`, port, because)]);
}

function allocateHealthCheck({ spec = {} }: Service, nodePorts: NodePorts): void {
  const port = spec.healthCheckNodePort;
  if (!port) spec.healthCheckNodePort = nodePorts.next();
  else {
    const because = nodePorts.take(port);
    if (because === undefined) return;
    const what = `failed to allocate requested HealthCheck NodePort ${port}`;
    throw internalError(`Internal error occurred: ${what}: ${because}`);
  }
}

/** What any of the ports with this number asks for. */
function requestedFor(number: number, ports: readonly ServicePort[]): number | undefined {
  return ports.find(({ port, nodePort }) => port === number && nodePort)?.nodePort;
}

function portsHeldBy(service: KubeObject): readonly number[] {
  const spec = specOf(service);
  if (!hasNodePorts(spec)) return [];
  const { healthCheckNodePort } = spec;
  return healthCheckNodePort ? [...nodePortsOf(spec), healthCheckNodePort] : nodePortsOf(spec);
}
