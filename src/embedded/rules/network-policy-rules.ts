import type { NetworkPolicyObject, NetworkPolicyPeer, NetworkPolicyPort } from '../../../imports/k8s.js';
import type { Json, KubeObject } from '../../kube/manifest.js';
import type { FieldProblem } from '../../schema/field-problem.js';
import { type Cidr, maskedAddress } from '../../schema/ip.js';
import { dns1123SubdomainName } from '../../schema/name-formats.js';
import { equal } from '../fields/field-type.js';
import type { Rules } from '../kinds/served-kind.js';
import { saysMore } from '../said-more.js';
import { cidrWarnings } from './address-warnings.js';
import { cidrProblems, sloppyCidr } from './addresses.js';
import { hasBadValue, type LabelSelector, selectorProblems } from './label-selector.js';
import { portName, portNumber } from './port-formats.js';
import { Problems } from './problems.js';
import type { Unchecked } from './unchecked.js';

type Policy = Unchecked<NetworkPolicyObject>;

interface Judgement {
  readonly takesBadValues: boolean;
  /** Ranges that were taken before. */
  readonly existing: readonly string[];
}

/** https://kubernetes.io/docs/concepts/services-networking/network-policies/ */
export const networkPolicyRules: Rules = {
  default(object) {
    const policy = object as unknown as Policy;
    policy.spec ??= {};
    const { spec } = policy;
    for (const { ports } of [...(spec.ingress ?? []), ...(spec.egress ?? [])]) {
      for (const port of ports ?? []) port.protocol ??= 'TCP';
    }
    if (!spec.policyTypes?.length) {
      spec.policyTypes = spec.egress?.length ? ['Ingress', 'Egress'] : ['Ingress'];
    }
  },
  validate: (object) => policyProblems(object, { takesBadValues: false, existing: [] }),
  validateUpdate(object, old) {
    const { spec = {} } = old as unknown as Policy;
    const takesBadValues = hasBadValue(spec.podSelector as LabelSelector | undefined);
    const peers = [...(spec.ingress ?? []).flatMap(({ from }) => from ?? [])].concat(
      (spec.egress ?? []).flatMap(({ to }) => to ?? []),
    );
    const existing = peers.flatMap(({ ipBlock }) => [ipBlock?.cidr ?? '', ...(ipBlock?.except ?? [])]);
    return policyProblems(object, { takesBadValues, existing });
  },
  nameProblems: dns1123SubdomainName,
  warnings: blockWarnings,
  generation: (object, old) => saysMore(object.spec) || !equal(object.spec as Json, old.spec as Json),
};

function policyProblems(object: KubeObject, judgement: Judgement): readonly FieldProblem[] {
  const { spec = {} } = object as unknown as Policy;
  const found = new Problems();
  found.add(selectorProblems(spec.podSelector as LabelSelector | undefined, 'spec.podSelector', judgement));
  const rule = (
    path: string,
    ports: readonly Unchecked<NetworkPolicyPort>[],
    peersPath: string,
    peers: readonly Unchecked<NetworkPolicyPeer>[],
  ) => {
    ports.forEach((port, index) => {
      portProblems(found, `${path}.ports[${index}]`, port);
    });
    peers.forEach((peer, index) => {
      peerProblems(found, `${peersPath}[${index}]`, peer, judgement);
    });
  };
  spec.ingress?.forEach(({ ports = [], from = [] }, index) => {
    rule(`spec.ingress[${index}]`, ports, `spec.ingress[${index}].from`, from);
  });
  spec.egress?.forEach(({ ports = [], to = [] }, index) => {
    rule(`spec.egress[${index}]`, ports, `spec.egress[${index}].to`, to);
  });
  const types = spec.policyTypes ?? [];
  if (types.length > 2) found.invalid('spec.policyTypes', types, 'may not specify more than two policyTypes');
  else {
    types.forEach((type, index) => {
      if (type === 'Ingress' || type === 'Egress') return;
      found.notSupported(`spec.policyTypes[${index}]`, type, ['Ingress', 'Egress']);
    });
  }
  return found.all;
}

function portProblems(found: Problems, path: string, { protocol, port, endPort }: Unchecked<NetworkPolicyPort>): void {
  const protocols = ['TCP', 'UDP', 'SCTP'];
  if (protocol !== undefined && !protocols.includes(protocol)) {
    found.notSupported(`${path}.protocol`, protocol, protocols);
  }
  const end = `${path}.endPort`;
  if (port === undefined) {
    if (endPort !== undefined) found.invalid(end, endPort, 'may not be specified when `port` is not specified');
  } else if (typeof port === 'number') {
    for (const message of portNumber(port)) found.invalid(`${path}.port`, port, message);
    if (endPort === undefined) return;
    // The server shows the wrong one of the two.
    if (endPort < port) found.invalid(end, port, 'must be greater than or equal to `port`');
    for (const message of portNumber(endPort)) found.invalid(end, endPort, message);
  } else {
    if (endPort !== undefined) found.invalid(end, endPort, 'may not be specified when `port` is non-numeric');
    found.format(`${path}.port`, port, portName);
  }
}

function peerProblems(found: Problems, path: string, peer: Unchecked<NetworkPolicyPeer>, judgement: Judgement): void {
  const { podSelector, namespaceSelector, ipBlock } = peer;
  found.add(selectorProblems(podSelector as LabelSelector | undefined, `${path}.podSelector`, judgement));
  found.add(selectorProblems(namespaceSelector as LabelSelector | undefined, `${path}.namespaceSelector`, judgement));
  if (ipBlock !== undefined) blockProblems(found, `${path}.ipBlock`, ipBlock, judgement);
  const count = [podSelector, namespaceSelector, ipBlock].filter((each) => each !== undefined).length;
  if (count === 0) found.required(path, 'must specify a peer');
  else if (count > 1 && ipBlock !== undefined) {
    found.forbidden(path, 'may not specify both ipBlock and another peer');
  }
}

function blockProblems(
  found: Problems,
  path: string,
  { cidr = '', except = [] }: NonNullable<Unchecked<NetworkPolicyPeer>['ipBlock']>,
  { existing }: Judgement,
): void {
  if (cidr === '') {
    found.required(`${path}.cidr`);
    return;
  }
  found.add(cidrProblems(`${path}.cidr`, cidr, existing));
  const whole = sloppyCidr(cidr);
  if (whole === undefined) return;
  except.forEach((text, index) => {
    const at = `${path}.except[${index}]`;
    found.add(cidrProblems(at, text, existing));
    const part = sloppyCidr(text);
    if (part !== undefined && !isWithin(part, whole)) found.invalid(at, text, 'must be a strict subset of `cidr`');
  });
}

function blockWarnings(object: KubeObject): readonly string[] {
  const { ingress = [], egress = [] } = (object as unknown as Policy).spec ?? {};
  const ofPeers = (path: string, peers: readonly Unchecked<NetworkPolicyPeer>[] = []) =>
    peers.flatMap(({ ipBlock }, index) => {
      if (!ipBlock) return [];
      const at = `${path}[${index}].ipBlock`;
      const { cidr = '', except = [] } = ipBlock;
      const exceptions = except.flatMap((text, each) => cidrWarnings(`${at}.except[${each}]`, text));
      return [...cidrWarnings(`${at}.cidr`, cidr), ...exceptions];
    });
  return [
    ...ingress.flatMap(({ from }, index) => ofPeers(`spec.ingress[${index}].from`, from)),
    ...egress.flatMap(({ to }, index) => ofPeers(`spec.egress[${index}].to`, to)),
  ];
}

function isWithin(part: Cidr, whole: Cidr): boolean {
  const { prefixLength } = whole;
  const masked = (address: readonly number[]) => String(maskedAddress({ address, prefixLength }));
  return (
    part.address.length === whole.address.length &&
    part.prefixLength > prefixLength &&
    masked(part.address) === masked(whole.address)
  );
}
