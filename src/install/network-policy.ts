import { selectorOf } from './labels.js';
import { webhookPort } from './webhooks.js';
import { healthPort, metricsPort } from './workload.js';

/**
 * Ports on which API servers of real clusters listen behind the Service `kubernetes`: 443 where a provider runs them,
 * 6443 with kubeadm, kind and k3s, 8443 with minikube, 16443 with MicroK8s. Policies see the port behind the Service.
 */
export const usualApiServerPorts: readonly number[] = [443, 6443, 8443, 16443];

/** 53, and 5353 where the pods behind the DNS Service listen there, as on OpenShift. */
const dnsPorts = [53, 5353];

/**
 * The spec of the NetworkPolicy of the operator's pods: nothing comes in but probes, scrapes and reviews, and nothing goes
 * out but to the API server, to a proxy before it, to DNS, to a collector of traces, and to services that operators call.
 *
 * Destinations are limited by port alone. An API server has no pods that a selector could find, its addresses differ
 * between clusters and change; and a node-local DNS cache listens on the node.
 */
export function networkPolicySpec(options: {
  readonly name: string;
  readonly metrics: boolean;
  readonly webhooks: boolean;
  readonly apiServerPorts: readonly number[];
  /** Of services outside the cluster's API. */
  readonly servicePorts: readonly number[];
  /** Of proxies that the controller's environment names. */
  readonly proxyPorts: readonly number[];
  /** Of collectors of traces that it names. */
  readonly collectorPorts: readonly number[];
}): Readonly<Record<string, unknown>> {
  const { apiServerPorts, servicePorts, proxyPorts, collectorPorts } = options;
  const tcp = (port: number) => ({ port, protocol: 'TCP' });
  const udp = (port: number) => ({ port, protocol: 'UDP' });
  return {
    podSelector: { matchLabels: selectorOf(options.name) },
    policyTypes: ['Ingress', 'Egress'],
    ingress: [
      // Probes come from the node, which no selector can name.
      { ports: [tcp(healthPort)] },
      // Nor can one name the API server.
      ...(options.webhooks ? [{ ports: [tcp(webhookPort)] }] : []),
      ...(options.metrics
        ? [{ from: [{ namespaceSelector: { matchLabels: { metrics: 'enabled' } } }], ports: [tcp(metricsPort)] }]
        : []),
    ],
    egress: [
      { ports: [...new Set([...apiServerPorts, ...servicePorts, ...proxyPorts, ...collectorPorts])].map(tcp) },
      { ports: [...dnsPorts.map(udp), ...dnsPorts.map(tcp)] },
    ],
  };
}
