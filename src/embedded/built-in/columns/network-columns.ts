import type {
  EndpointSliceObject,
  EndpointsObject,
  IngressClassObject,
  IngressObject,
  IPAddressObject,
  NetworkPolicyObject,
  ServiceCIDRObject,
  ServiceObject,
} from '../../../../imports/k8s.js';
import { type Columns, column, few, wide } from './column.js';
import { labelsText, selectorText } from './labels-text.js';

export const serviceColumns: Columns = {
  columns: [
    column<ServiceObject>('Type', ({ spec }) => spec?.type ?? ''),
    column<ServiceObject>('Cluster-IP', ({ spec }) => spec?.clusterIPs?.[0] ?? '<none>'),
    column<ServiceObject>('External-IP', externalIp),
    column<ServiceObject>('Port(s)', ({ spec }) => {
      const ports = (spec?.ports ?? []).map(
        ({ port, nodePort, protocol }) => `${port}${nodePort ? `:${nodePort}` : ''}/${protocol}`,
      );
      return ports.join(',') || '<none>';
    }),
    column<ServiceObject>('Selector', ({ spec }) => labelsText(spec?.selector), wide),
  ],
};

function externalIp({ spec, status }: ServiceObject): string {
  const external = spec?.externalIPs ?? [];
  switch (spec?.type) {
    case 'ClusterIP':
    case 'NodePort':
      return external.join(',') || '<none>';
    case 'LoadBalancer':
      return [...balancerAddresses(status?.loadBalancer?.ingress), ...external].join(',') || '<pending>';
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return '<unknown>';
  }
}

interface Balancer {
  readonly ip?: string | undefined;
  readonly hostname?: string | undefined;
}

function balancerAddresses(ingress: readonly Balancer[] | undefined): string[] {
  return [...new Set((ingress ?? []).map(({ ip, hostname }) => ip || hostname || '').filter(Boolean))].sort();
}

export const ingressColumns: Columns = {
  columns: [
    column<IngressObject>('Class', ({ spec }) => spec?.ingressClassName ?? '<none>'),
    column<IngressObject>('Hosts', ({ spec }) => {
      const rules = spec?.rules ?? [];
      const hosts: string[] = [];
      // Counted are rules, also those without a host, once three hosts have been seen.
      for (const [index, { host }] of rules.entries()) {
        if (host) hosts.push(host);
        if (hosts.length === 3 && index + 1 < rules.length) return `${hosts.join(',')} + ${rules.length - 3} more...`;
      }
      return hosts.join(',') || '*';
    }),
    column<IngressObject>('Address', ({ status }) => balancerAddresses(status?.loadBalancer?.ingress).join(',')),
    column<IngressObject>('Ports', ({ spec }) => (spec?.tls?.length ? '80, 443' : '80')),
  ],
};

export const ingressClassColumns: Columns = {
  columns: [
    column<IngressClassObject>(
      'Name',
      ({ metadata }) => {
        const isDefault = metadata?.annotations?.['ingressclass.kubernetes.io/is-default-class'] === 'true';
        return `${metadata?.name}${isDefault ? ' (default)' : ''}`;
      },
      { format: 'name' },
    ),
    column<IngressClassObject>('Controller', ({ spec }) => spec?.controller ?? ''),
    column<IngressClassObject>('Parameters', ({ spec }) => {
      const { apiGroup, kind, name } = spec?.parameters ?? {};
      return kind === undefined ? '<none>' : `${kind}${apiGroup === undefined ? '' : `.${apiGroup}`}/${name}`;
    }),
  ],
};

export const networkPolicyColumns: Columns = {
  columns: [column<NetworkPolicyObject>('Pod-Selector', ({ spec }) => selectorText(spec?.podSelector) || '<none>')],
};

export const endpointsColumns: Columns = {
  columns: [
    column<EndpointsObject>('Endpoints', ({ subsets }) => {
      if (!subsets?.length) return '<none>';
      const found = subsets.flatMap(({ addresses = [], ports = [] }) =>
        ports.length === 0
          ? addresses.map(({ ip }) => ip)
          : ports.flatMap(({ port }) =>
              addresses.map(({ ip }) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`)),
            ),
      );
      return few(found, 3, '');
    }),
  ],
};

export const endpointSliceColumns: Columns = {
  columns: [
    column<EndpointSliceObject>('AddressType', ({ addressType }) => addressType),
    column<EndpointSliceObject>('Ports', ({ ports }) =>
      few(
        (ports ?? []).map(({ port, name }) => (port !== undefined ? `${port}` : (name ?? '*'))),
        3,
        '<unset>',
      ),
    ),
    column<EndpointSliceObject>('Endpoints', ({ endpoints }) =>
      few(
        (endpoints ?? []).flatMap(({ addresses }) => addresses ?? []),
        3,
        '<unset>',
      ),
    ),
  ],
};

export const serviceCidrColumns: Columns = {
  columns: [column<ServiceCIDRObject>('CIDRs', ({ spec }) => (spec?.cidrs ?? []).join(','))],
};

export const ipAddressColumns: Columns = {
  columns: [
    column<IPAddressObject>('ParentRef', ({ spec }) => {
      const parent = spec?.parentRef;
      if (!parent) return '<none>';
      const { group, resource, namespace, name } = parent;
      const kind = (group ? `${resource}.${group}` : (resource ?? '')).toLowerCase();
      return [kind, namespace, name].filter(Boolean).join('/');
    }),
  ],
  addsAge: false,
};
