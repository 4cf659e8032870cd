import type { EndpointsObject } from '../../../imports/k8s.js';
import type { Json, KubeObject } from '../../kube/manifest.js';
import { dns1123Subdomain, dns1123SubdomainName } from '../../schema/name-formats.js';
import { equal } from '../fields/field-type.js';
import type { Rules } from '../kinds/served-kind.js';
import { addressWarnings } from './address-warnings.js';
import { addressProblems, endpointAddressProblems } from './addresses.js';
import { portNumber, protocolProblems } from './port-formats.js';
import { Problems } from './problems.js';
import type { Unchecked } from './unchecked.js';

type Endpoints = Unchecked<EndpointsObject>;
type Subset = NonNullable<Endpoints['subsets']>[number];

/** https://kubernetes.io/docs/reference/kubernetes-api/service-resources/endpoints-v1/ */
export const endpointsRules: Rules = {
  default(object) {
    for (const { ports } of subsetsOf(object as unknown as KubeObject)) {
      for (const port of ports ?? []) port.protocol ||= 'TCP';
    }
  },
  validate: (object) => problemsOf(subsetsOf(object)).all,
  validateUpdate(object, old) {
    const found = problemsOf(subsetsOf(object));
    // What was taken once, by rules of old, may stay.
    return found.all.length > 0 && equal(object.subsets as Json, old.subsets as Json) ? [] : found.all;
  },
  nameProblems: dns1123SubdomainName,
  warnings(object) {
    if (object.metadata.labels?.['endpoints.kubernetes.io/managed-by'] === 'endpoint-controller') return [];
    return subsetsOf(object).flatMap(({ addresses = [], notReadyAddresses = [] }, index) =>
      Object.entries({ addresses, notReadyAddresses }).flatMap(([field, given]) =>
        given.flatMap(({ ip = '' }, at) => addressWarnings(`subsets[${index}].${field}[${at}].ip`, ip)),
      ),
    );
  },
  allowsCreateOnUpdate: true,
};

function subsetsOf(object: KubeObject): readonly Subset[] {
  return (object as unknown as Endpoints).subsets ?? [];
}

function problemsOf(subsets: readonly Subset[]): Problems {
  const found = new Problems();
  subsets.forEach(({ addresses = [], notReadyAddresses = [], ports = [] }, index) => {
    const path = `subsets[${index}]`;
    if (addresses.length === 0 && notReadyAddresses.length === 0) {
      found.required(path, 'must specify `addresses` or `notReadyAddresses`');
    }
    for (const [field, given] of Object.entries({ addresses, notReadyAddresses })) {
      given.forEach(({ ip = '', hostname = '', nodeName }, at) => {
        const each = `${path}.${field}[${at}]`;
        found.add(addressProblems(`${each}.ip`, ip));
        if (hostname !== '') found.label(`${each}.hostname`, hostname);
        if (nodeName !== undefined) found.format(`${each}.nodeName`, nodeName, dns1123Subdomain);
        found.add(endpointAddressProblems(`${each}.ip`, ip));
      });
    }
    ports.forEach(({ name = '', port = 0, protocol, appProtocol }, at) => {
      const each = `${path}.ports[${at}]`;
      if (name !== '') found.label(`${each}.name`, name);
      else if (ports.length > 1) found.required(`${each}.name`);
      for (const message of portNumber(port)) found.invalid(`${each}.port`, port, message);
      found.add(protocolProblems(`${each}.protocol`, protocol));
      if (appProtocol !== undefined) found.qualifiedName(`${each}.appProtocol`, appProtocol);
    });
  });
  return found;
}
