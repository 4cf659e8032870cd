import type { KubeObject } from '../../../kube/manifest.js';
import type { FieldProblem } from '../../../schema/field-problem.js';
import { parseIp, showIp } from '../../../schema/ip.js';
import { pathSegment } from '../../../schema/name-formats.js';
import type { World } from '../../kinds/served-kind.js';
import { internalError, invalid, panicked } from '../../status-error.js';
import { familyOf } from '../addresses.js';
import { refuse } from '../refuse.js';
import { clusterIpProblems } from './cluster-ip-problems.js';
import { refuseService } from './refuse-service.js';
import { headless, type Service, type ServiceSpec, sameTexts, specOf } from './service.js';

const range = '10.0.0.0/16';
const network = 10 * 2 ** 24;
const first = network + 1;
const last = network + 2 ** 16 - 2;
/** Below it is what people choose; the server itself begins above, so that it seldom takes what somebody wants. */
const firstDynamic = first + 256;

/**
 * Decides on the families of a service's addresses, on a cluster that has those of IPv4. Throws where a service asks for
 * what such a cluster does not have.
 *
 * https://kubernetes.io/docs/concepts/services-networking/dual-stack/
 */
export function decideFamilies(service: Service, old: KubeObject | undefined): void {
  const spec = service.spec ?? {};
  const before = old === undefined ? undefined : specOf(old);
  if (spec.type === 'ExternalName' || (before !== undefined && keepsPreference(spec, before))) return;
  const hasNoSelector = Object.keys(spec.selector ?? {}).length === 0;
  const isFree = spec.clusterIP === headless && hasNoSelector;
  spec.ipFamilyPolicy ??= before?.ipFamilyPolicy ?? (isFree ? 'RequireDualStack' : 'SingleStack');
  throwFor(service, clusterIpProblems(spec, before));

  throwFor(service, [...(before ? settleChange(spec, before) : []), ...singleStackProblems(spec), ...infer(spec)]);
  spec.ipFamilies ??= [];
  if (isFree) {
    // Nobody knows what the endpoints will be, so both families are taken to be there.
    if (spec.ipFamilies.length === 0) spec.ipFamilies.push('IPv4');
    if (spec.ipFamilies.length < 2 && spec.ipFamilyPolicy !== 'SingleStack') {
      spec.ipFamilies.push(spec.ipFamilies[0] === 'IPv4' ? 'IPv6' : 'IPv4');
    }
    return;
  }
  const problems: FieldProblem[] = [];
  if (spec.ipFamilyPolicy === 'RequireDualStack') {
    const detail = 'this cluster is not configured for dual-stack services';
    problems.push(refuse.invalid('spec.ipFamilyPolicy', spec.ipFamilyPolicy, detail));
  }
  spec.ipFamilies.forEach((family, index) => {
    if (family !== 'IPv4') {
      problems.push(refuse.invalid(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster'));
    }
  });
  throwFor(service, problems);
  if (spec.ipFamilies.length === 0) spec.ipFamilies.push('IPv4');
}

/**
 * Gives a service its address, or the one that it asks for. Throws where that cannot be had; a dry run takes none, so that
 * it does not find out, and shows one that nobody can have.
 */
export function allocateClusterIp(service: Service, world: World, dryRun = false): void {
  const spec = service.spec ?? {};
  if (spec.type === 'ExternalName' || spec.clusterIPs?.[0] === headless) return;
  const taken = takenAddresses(world);
  const requested = spec.clusterIPs?.[0];
  if (requested) {
    const because = refusalOf(requested, taken, dryRun) ?? parentFault(service, requested, dryRun);
    if (because === undefined) return;
    const detail = `failed to allocate IP ${requested}: ${because}`;
    throw refuseService(service, [refuse.invalid('spec.clusterIPs', spec.clusterIPs, detail)]);
  }
  const address = dryRun
    ? network
    : (free(taken, world, firstDynamic, last) ?? free(taken, world, first, firstDynamic - 1));
  if (address === undefined) {
    const what = `failed to allocate a serviceIP for Service ${JSON.stringify(service.metadata.name ?? '')}`;
    throw internalError(`Internal error occurred: ${what}: range is full`);
  }
  const shown = showIp(bytesOf(address));
  const fault = parentFault(service, shown, dryRun);
  if (fault !== undefined) {
    throw refuseService(service, [refuse.invalid('spec.clusterIPs', [''], `failed to allocate IP: ${fault}`)]);
  }
  spec.clusterIP = shown;
  spec.clusterIPs = [shown];
}

/**
 * Gives a service that goes over to two families an address of the second. Only one without addresses of its own may name
 * two on such a cluster, and it is refused for that later; but for a family that the cluster has not the server panics.
 */
export function allocateSecondIp({ spec = {} }: Service, old: ServiceSpec, world: World): void {
  if (spec.type === 'ExternalName' || old.clusterIPs?.[0] === headless || keepsPreference(spec, old)) return;
  if (old.ipFamilies?.length !== 1 || spec.ipFamilies?.length !== 2) return;
  if (spec.ipFamilies[1] !== 'IPv4') throw panicked();
  const address = spec.clusterIPs?.[1] ? undefined : free(takenAddresses(world), world, firstDynamic, last);
  if (address !== undefined) spec.clusterIPs = [...(spec.clusterIPs ?? []), showIp(bytesOf(address))];
}

/** An address is kept as an object of its own, which names the service that has it, whatever may be said of that later. */
function parentFault({ metadata: { name = '' } }: Service, address: string, dryRun: boolean): string | undefined {
  if (dryRun) return undefined;
  const path = 'spec.parentRef.name';
  const problems = name === '' ? [refuse.required(path)] : refuse.each(path, name, pathSegment(name));
  if (problems.length === 0) return undefined;
  return invalid({ group: 'networking.k8s.io', name: 'IPAddress' }, address, problems).message;
}

function keepsPreference(spec: ServiceSpec, old: ServiceSpec): boolean {
  return (
    spec.ipFamilyPolicy === 'PreferDualStack' &&
    (old.ipFamilyPolicy ?? 'PreferDualStack') === 'PreferDualStack' &&
    old.type === spec.type &&
    sameTexts(old.clusterIPs, spec.clusterIPs) &&
    sameTexts(old.ipFamilies, spec.ipFamilies)
  );
}

/** A second address or family is let go by asking for one stack. */
function settleChange(spec: ServiceSpec, old: ServiceSpec): readonly FieldProblem[] {
  if (spec.ipFamilyPolicy === 'SingleStack') {
    if (sameTexts(old.clusterIPs, spec.clusterIPs) && spec.clusterIPs) spec.clusterIPs = spec.clusterIPs.slice(0, 1);
    if (sameTexts(old.ipFamilies, spec.ipFamilies) && spec.ipFamilies) spec.ipFamilies = spec.ipFamilies.slice(0, 1);
    return [];
  }
  const isFewer = (now: readonly unknown[] = [], was: readonly unknown[] = []) =>
    now.length > 0 && now.length < was.length;
  const problem = (what: string) =>
    refuse.invalid(
      'spec.ipFamilyPolicy',
      spec.ipFamilyPolicy,
      `must be 'SingleStack' to release the secondary ${what}`,
    );
  return [
    ...(isFewer(spec.clusterIPs, old.clusterIPs) ? [problem('cluster IP')] : []),
    ...(isFewer(spec.ipFamilies, old.ipFamilies) ? [problem('IP family')] : []),
  ];
}

function singleStackProblems(spec: ServiceSpec): readonly FieldProblem[] {
  if (spec.ipFamilyPolicy !== 'SingleStack') return [];
  const problem = (what: string) => {
    const detail = `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`;
    return refuse.invalid('spec.ipFamilyPolicy', 'SingleStack', detail);
  };
  return [
    ...(spec.clusterIPs?.length === 2 ? [problem('cluster IPs')] : []),
    ...(spec.ipFamilies?.length === 2 ? [problem('IP families')] : []),
  ];
}

/** Families follow from addresses that are given without them. */
function infer(spec: ServiceSpec): readonly FieldProblem[] {
  const problems: FieldProblem[] = [];
  const given = spec.ipFamilies?.length ?? 0;
  for (const [index, ip] of (spec.clusterIPs ?? []).entries()) {
    if (ip === headless) break;
    if (index < given) continue;
    const family = familyOf(ip);
    if (family === 'IPv4') spec.ipFamilies = [...(spec.ipFamilies ?? []), family];
    else {
      const detail = `${family} is not configured on this cluster`;
      problems.push(refuse.invalid(`spec.clusterIPs[${index}]`, spec.clusterIPs, detail));
    }
  }
  return problems;
}

function throwFor(service: Service, problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw refuseService(service, problems);
}

function takenAddresses(world: World): ReadonlySet<number> {
  const addresses = world.list('services').flatMap((service) => specOf(service).clusterIPs ?? []);
  return new Set(addresses.flatMap((address) => numberOf(address) ?? []));
}

function refusalOf(address: string, taken: ReadonlySet<number>, dryRun: boolean): string | undefined {
  const number = numberOf(address);
  if (number === undefined || number < first || number > last) {
    // A dry run asks the range itself, and what is meant looks for a range first that has the address.
    return dryRun
      ? `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${range}`
      : 'the provided network does not match the current range';
  }
  return taken.has(number) && !dryRun ? 'provided IP is already allocated' : undefined;
}

function free(taken: ReadonlySet<number>, world: World, from: number, to: number): number | undefined {
  const size = to - from + 1;
  const offset = Math.floor(world.random() * size);
  for (let step = 0; step < size; step++) {
    const address = from + ((offset + step) % size);
    if (!taken.has(address)) return address;
  }
  return undefined;
}

function numberOf(address: string): number | undefined {
  const bytes = parseIp(address, { leadingZeros: true });
  return bytes?.length === 4 ? bytes.reduce((number, byte) => number * 256 + byte, 0) : undefined;
}

function bytesOf(number: number): readonly number[] {
  return [24, 16, 8, 0].map((bits) => Math.floor(number / 2 ** bits) % 256);
}
