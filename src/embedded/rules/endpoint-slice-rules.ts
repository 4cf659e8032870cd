import type { DiscoveryEndpointPort, Endpoint, EndpointSliceObject } from '../../../imports/k8s.js';
import type { Json, KubeObject } from '../../kube/manifest.js';
import type { FieldProblem } from '../../schema/field-problem.js';
import {
  dns1123Label,
  dns1123Subdomain,
  dns1123SubdomainName,
  ipAddress,
  labelValue,
} from '../../schema/name-formats.js';
import { labelProblems } from '../../schema/object-meta.js';
import { equal } from '../fields/field-type.js';
import type { Rules } from '../kinds/served-kind.js';
import { addressWarnings } from './address-warnings.js';
import { addressProblems, endpointAddressProblems, familyOf } from './addresses.js';
import { protocolProblems } from './port-formats.js';
import { Problems } from './problems.js';
import type { Unchecked } from './unchecked.js';

type Slice = Unchecked<EndpointSliceObject>;

const addressTypes = ['FQDN', 'IPv4', 'IPv6'];
const most = { endpoints: 1000, addresses: 100, ports: 20_000, topology: 16, hints: 8 } as const;

/** https://kubernetes.io/docs/concepts/services-networking/endpoint-slices/ */
export const endpointSliceRules: Rules = {
  default(object) {
    for (const port of (object as unknown as Slice).ports ?? []) {
      port.name ??= '';
      port.protocol ??= 'TCP';
    }
  },
  validate: (object) => sliceProblems(object),
  validateUpdate(object, old) {
    const found = new Problems();
    found.add(sliceProblems(object, old));
    if (object.addressType !== old.addressType) found.invalid('addressType', object.addressType, 'field is immutable');
    return found.all;
  },
  nameProblems: dns1123SubdomainName,
  warnings(object, old) {
    const isName = old === undefined && object.addressType === 'FQDN';
    const controller = object.metadata.labels?.['endpointslice.kubernetes.io/managed-by'] ?? '';
    const isKept = ['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io'].includes(controller);
    const endpoints = isKept ? [] : listsOf(object).endpoints;
    return [
      ...(isName ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
      ...endpoints.flatMap(({ addresses }, index) =>
        (addresses ?? []).flatMap((ip, at) => addressWarnings(`endpoints[${index}].addresses[${at}]`, ip)),
      ),
    ];
  },
  generation(object, old) {
    return (
      ['addressType', 'endpoints', 'ports'].some((field) => !equal(object[field] as Json, old[field] as Json)) ||
      !equal(object.metadata.labels ?? {}, old.metadata.labels ?? {})
    );
  },
};

function sliceProblems(object: KubeObject, old?: KubeObject): readonly FieldProblem[] {
  const { addressType = '' } = object as unknown as Slice;
  const { endpoints, ports } = listsOf(object);
  const found = new Problems();
  if (addressType === '') found.required('addressType');
  else if (!addressTypes.includes(addressType)) found.notSupported('addressType', addressType, addressTypes);
  portsProblems(found, ports);

  const ofEndpoints = new Problems();
  if (endpoints.length > most.endpoints) ofEndpoints.tooMany('endpoints', endpoints.length, most.endpoints);
  else {
    endpoints.forEach((endpoint, index) => {
      endpointProblems(ofEndpoints, `endpoints[${index}]`, endpoint, addressType);
    });
  }
  // What was taken once, by rules of old, may stay.
  const isOld =
    ofEndpoints.all.length > 0 && old !== undefined && equal(object.endpoints as Json, old.endpoints as Json);
  if (!isOld) found.add(ofEndpoints.all);
  return found.all;
}

/** A slice without any says so by null. */
function listsOf(object: KubeObject): {
  readonly endpoints: NonNullable<Slice['endpoints']>;
  readonly ports: NonNullable<Slice['ports']>;
} {
  const { endpoints, ports } = object as unknown as Slice;
  return { endpoints: endpoints ?? [], ports: ports ?? [] };
}

function portsProblems(found: Problems, ports: readonly Unchecked<DiscoveryEndpointPort>[]): void {
  if (ports.length > most.ports) {
    found.tooMany('ports', ports.length, most.ports);
    return;
  }
  const names = new Set<string>();
  ports.forEach(({ name = '', protocol, appProtocol }, index) => {
    const path = `ports[${index}]`;
    if (name !== '') found.label(`${path}.name`, name);
    if (names.has(name)) found.duplicate(`${path}.name`, name);
    names.add(name);
    found.add(protocolProblems(`${path}.protocol`, protocol ?? ''));
    if (appProtocol !== undefined) found.qualifiedName(`${path}.appProtocol`, appProtocol);
  });
}

function endpointProblems(found: Problems, path: string, endpoint: Unchecked<Endpoint>, addressType: string): void {
  const { nodeName, deprecatedTopology = {}, hostname, hints } = endpoint;
  const addresses = endpoint.addresses ?? [];
  if (addresses.length === 0) found.required(`${path}.addresses`, 'must contain at least 1 address');
  else if (addresses.length > most.addresses) found.tooMany(`${path}.addresses`, addresses.length, most.addresses);
  addresses.forEach((address, index) => {
    const at = `${path}.addresses[${index}]`;
    if (addressType === 'FQDN') {
      domainProblems(found, at, address);
      return;
    }
    if (addressType !== 'IPv4' && addressType !== 'IPv6') return;
    const before = found.all.length;
    if (addressType === 'IPv4') found.add(addressProblems(at, address));
    else found.format(at, address, ipAddress);
    if (found.all.length > before) return;
    if (familyOf(address) !== addressType)
      found.invalid(`${path}.addresses`, address, `must be an ${addressType} address`);
    found.add(endpointAddressProblems(at, address));
  });
  if (nodeName !== undefined) found.format(`${path}.nodeName`, nodeName, dns1123Subdomain);
  const topology = Object.keys(deprecatedTopology).length;
  if (topology > most.topology) found.tooMany(`${path}.deprecatedTopology`, topology, most.topology);
  found.add(labelProblems(deprecatedTopology as Record<string, string>, `${path}.deprecatedTopology`));
  if (hostname !== undefined) found.label(`${path}.hostname`, hostname);
  if (hints === undefined) return;
  if (!hintProblems(found, `${path}.hints.forZones`, hints.forZones ?? [], labelValue)) return;
  hintProblems(found, `${path}.hints.forNodes`, hints.forNodes ?? [], dns1123Subdomain);
}

/** Returns false when there are so many that nothing else is judged. */
function hintProblems(
  found: Problems,
  path: string,
  hints: readonly { name?: string | undefined }[],
  format: (text: string) => readonly string[],
): boolean {
  if (hints.length > most.hints) {
    found.tooMany(path, hints.length, most.hints);
    return false;
  }
  const names = new Set<string>();
  hints.forEach(({ name = '' }, index) => {
    const at = `${path}[${index}].name`;
    if (names.has(name)) found.duplicate(at, name);
    names.add(name);
    found.format(at, name, format);
  });
  return true;
}

function domainProblems(found: Problems, path: string, domain: string): void {
  if (domain === '') {
    found.required(path);
    return;
  }
  const name = domain.replace(/\.$/, '');
  const bad = dns1123Subdomain(name);
  if (bad.length > 0) {
    found.invalid(path, name, bad.join(','));
    return;
  }
  const labels = name.split('.');
  if (labels.length < 2) {
    found.invalid(path, name, 'should be a domain with at least two segments separated by dots');
    return;
  }
  const badLabel = labels.find((label) => dns1123Label(label).length > 0);
  if (badLabel !== undefined) found.invalid(path, badLabel, dns1123Label(badLabel).join(','));
}
