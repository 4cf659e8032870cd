import type { NodeStatus } from '../../../imports/k8s.js';
import { timestamp } from '../../kube/timestamp.js';
import { nodes } from './built-in.js';
import type { Desk } from './controller.js';

const resources = { cpu: '8', memory: '16Gi', 'ephemeral-storage': '100Gi', pods: '110' };
const version = 'v1.36.3';

/** The addresses of Pods on the Node at `index` begin so. */
export function podNetwork(index: number): string {
  return `10.244.${index}.`;
}

/** Makes sure that there are Nodes, which never fail. Those of an earlier start, and of others, stay as they are. */
export function provideNodes({ index, writer, clock }: Desk, names: readonly string[]): void {
  names.forEach((name, position) => {
    if (index.get(nodes, undefined, name)) return;
    const cidr = `${podNetwork(position)}0/24`;
    const node = writer.create(nodes, undefined, {
      metadata: {
        name,
        labels: {
          'kubernetes.io/arch': 'amd64',
          'kubernetes.io/hostname': name,
          'kubernetes.io/os': 'linux',
        },
      },
      spec: { podCIDR: cidr, podCIDRs: [cidr] },
    });
    const ready = writer.updateStatus(nodes, { ...node, status: statusOf(name, position, timestamp(clock.now())) });
    // Admission keeps Pods away from a new Node; that it is ready is known at once.
    const taints = (ready.spec?.taints ?? []).filter(({ key }) => key !== 'node.kubernetes.io/not-ready');
    writer.update(nodes, { ...ready, spec: { ...ready.spec, taints } });
  });
}

function statusOf(name: string, position: number, now: string): NodeStatus {
  const condition = (type: string, status: string, reason: string, message: string) => {
    return { type, status, lastHeartbeatTime: now, lastTransitionTime: now, reason, message };
  };
  return {
    capacity: resources,
    allocatable: resources,
    addresses: [
      { type: 'InternalIP', address: `192.168.0.${position + 10}` },
      { type: 'Hostname', address: name },
    ],
    conditions: [
      condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
      condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
      condition('PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
      condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'),
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    nodeInfo: {
      architecture: 'amd64',
      operatingSystem: 'linux',
      kubeletVersion: version,
      kubeProxyVersion: '',
      containerRuntimeVersion: 'embedded://1',
      kernelVersion: '',
      osImage: 'kilter',
      bootID: '',
      machineID: '',
      systemUUID: '',
    },
  };
}
