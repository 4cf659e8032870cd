import type {
  HTTPIngressPath,
  IngressBackend,
  IngressObject,
  TypedLocalObjectReference,
} from '../../../imports/k8s.js';
import type { KubeObject } from '../../kube/manifest.js';
import {
  atMostCharacters,
  dns1123Label,
  dns1123Subdomain,
  dns1123SubdomainName,
  mustMatch,
  pathSegment,
} from '../../schema/name-formats.js';
import type { Draft } from '../draft.js';
import type { Rules, World } from '../kinds/served-kind.js';
import { isSaidEmpty } from '../said-more.js';
import { isAddress } from './addresses.js';
import { defaultClass } from './default-class.js';
import { portName, portNumber } from './port-formats.js';
import { Problems } from './problems.js';
import { ingressStatusProblems, loadBalancerWarnings } from './services/load-balancer-status.js';
import { statusApart } from './status-apart.js';
import type { Unchecked } from './unchecked.js';

type Ingress = Unchecked<IngressObject>;

const classAnnotation = 'kubernetes.io/ingress.class';
const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];
const notAWildcard = mustMatch(
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*',
  '*.example.com',
);

/** https://kubernetes.io/docs/concepts/services-networking/ingress/ */
export const ingressRules: Rules = {
  ...statusApart({ loadBalancer: {} }),
  validate(object) {
    const found = ingressProblems(object);
    const annotation = object.metadata.annotations?.[classAnnotation];
    const { ingressClassName } = (object as unknown as Ingress).spec ?? {};
    if (annotation !== undefined && ingressClassName !== undefined && annotation !== ingressClassName) {
      const detail = 'must match `ingressClassName` when both are specified';
      found.invalid(`annotations.${classAnnotation}`, annotation, detail);
    }
    return found.all;
  },
  validateUpdate: (object, old) => ingressProblems(object, old).all,
  validateStatusUpdate: ingressStatusProblems,
  admit(object, operation, world) {
    if (operation === 'CREATE') chooseClass(object, world);
  },
  nameProblems: dns1123SubdomainName,
  generation: 'spec',
  warnings(object, old) {
    const isOldWay = object.metadata.annotations?.[classAnnotation] !== undefined;
    if (old !== undefined || !isOldWay || (object as unknown as Ingress).spec?.ingressClassName !== undefined)
      return [];
    return [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`];
  },
  statusWarnings: loadBalancerWarnings,
};

function chooseClass(object: Draft, world: World): void {
  const ingress = object as unknown as Ingress;
  const isChosen = object.metadata.annotations?.[classAnnotation] !== undefined;
  if (ingress.spec?.ingressClassName !== undefined || isChosen) return;
  const name = defaultClass(world.list('ingressclasses.networking.k8s.io'), [
    'ingressclass.kubernetes.io/is-default-class',
  ]);
  if (name === undefined) return;
  ingress.spec ??= {};
  ingress.spec.ingressClassName = name;
}

function ingressProblems(object: KubeObject, old?: KubeObject): Problems {
  const { spec = {} } = object as unknown as Ingress;
  const before = (old as unknown as Ingress | undefined)?.spec;
  // What was taken once, by rules of old, may stay.
  const takesBadSecret = before?.tls?.some(({ secretName }) => !isSecretName(secretName)) ?? false;
  const takesBadWildcard = before?.rules?.some((rule) => rule.host?.includes('*') && hasBadPaths(rule)) ?? false;
  const found = new Problems();
  const { rules = [], tls = [], defaultBackend, ingressClassName } = spec;
  if (rules.length === 0 && defaultBackend === undefined) {
    const none = isSaidEmpty(spec, 'rules') ? [] : null;
    found.invalid('spec', none, 'either `defaultBackend` or `rules` must be specified');
  }
  if (defaultBackend !== undefined) backendProblems(found, 'spec.defaultBackend', defaultBackend);
  rules.forEach(({ host = '', http }, index) => {
    const path = `spec.rules[${index}]`;
    if (isAddress(host)) found.invalid(`${path}.host`, host, 'must be a DNS name, not an IP address');
    const isWildcard = host.includes('*');
    if (host !== '') found.format(`${path}.host`, host, isWildcard ? wildcard : dns1123Subdomain);
    if (http === undefined || (isWildcard && takesBadWildcard)) return;
    const paths = http.paths ?? [];
    if (paths.length === 0) found.required(`${path}.http.paths`);
    paths.forEach((each, at) => {
      pathProblems(found, `${path}.http.paths[${at}]`, each);
    });
  });
  tls.forEach(({ hosts = [], secretName = '' }, index) => {
    const path = `spec.tls[${index}]`;
    hosts.forEach((host, at) => {
      found.format(`${path}.hosts[${at}]`, host, host.includes('*') ? wildcard : dns1123Subdomain);
    });
    if (secretName !== '' && !takesBadSecret) found.subdomain(`${path}.secretName`, secretName);
  });
  if (ingressClassName !== undefined) found.subdomain('spec.ingressClassName', ingressClassName);
  return found;
}

function isSecretName(name: string | undefined): boolean {
  return !name || dns1123Subdomain(name).length === 0;
}

function hasBadPaths({ http }: NonNullable<NonNullable<Ingress['spec']>['rules']>[number]): boolean {
  const found = new Problems();
  for (const each of http?.paths ?? []) pathProblems(found, '', each);
  return found.all.length > 0;
}

function wildcard(host: string): readonly string[] {
  const problems = Buffer.byteLength(host) > 253 ? [atMostCharacters(253)] : [];
  const isGood = host.startsWith('*.') && dns1123Subdomain(host.slice(2, 255)).length === 0;
  return isGood ? problems : [...problems, notAWildcard];
}

function pathProblems(found: Problems, path: string, given: Unchecked<HTTPIngressPath>): void {
  const { path: value = '', backend = {} } = given;
  // Where there is none, null stands for it.
  const pathType = given.pathType ?? undefined;
  const at = `${path}.path`;
  if (pathType === undefined) {
    found.required(`${path}.pathType`, 'pathType must be specified');
    return;
  }
  if (pathType === 'Exact' || pathType === 'Prefix') {
    if (!value.startsWith('/')) found.invalid(at, value, 'must be an absolute path');
    for (const part of ['//', '/./', '/../', '%2f', '%2F']) {
      if (value.includes(part)) found.invalid(at, value, `must not contain '${part}'`);
    }
    for (const end of ['/..', '/.']) if (value.endsWith(end)) found.invalid(at, value, `cannot end with '${end}'`);
  } else if (pathType !== 'ImplementationSpecific') {
    found.notSupported(`${path}.pathType`, pathType, pathTypes);
  } else if (value !== '' && !value.startsWith('/')) found.invalid(at, value, 'must be an absolute path');
  backendProblems(found, `${path}.backend`, backend);
}

function backendProblems(found: Problems, path: string, { resource, service }: Unchecked<IngressBackend>): void {
  if (resource !== undefined && service !== undefined) {
    found.invalid(path, '', 'cannot set both resource and service backends');
    return;
  }
  if (resource !== undefined) {
    referenceProblems(found, `${path}.resource`, resource);
    return;
  }
  if (service === undefined) {
    found.invalid(path, '', 'resource or service backend is required');
    return;
  }
  const { name = '', port: { name: byName = '', number = 0 } = {} } = service;
  if (name === '') found.required(`${path}.service.name`);
  else found.format(`${path}.service.name`, name, dns1123Label);
  if (byName !== '' && number !== 0) found.invalid(path, '', 'cannot set both port name & port number');
  else if (byName !== '') found.format(`${path}.service.port.name`, byName, portName);
  else if (number === 0) found.required(path, 'port name or number is required');
  else for (const message of portNumber(number)) found.invalid(`${path}.service.port.number`, number, message);
}

function referenceProblems(found: Problems, path: string, reference: Unchecked<TypedLocalObjectReference>): void {
  const { kind = '', name = '' } = reference;
  // Where there is none, null stands for it.
  const apiGroup = reference.apiGroup ?? undefined;
  if (apiGroup !== undefined) found.subdomain(`${path}.apiGroup`, apiGroup);
  if (kind === '') found.required(`${path}.kind`);
  else found.format(`${path}.kind`, kind, pathSegment);
  if (name === '') found.required(`${path}.name`);
  else found.format(`${path}.name`, name, pathSegment);
}
