import type { FieldProblem } from '../../../schema/field-problem.js';
import { addressProblems, familyOf } from '../addresses.js';
import { refuse } from '../refuse.js';
import { headless, isHeadless, type ServiceSpec } from './service.js';

const families = ['IPv4', 'IPv6'];
const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
const path = 'spec.clusterIPs';

/** What is wrong with a service's own addresses and their families, apart from whether they are to be had. */
export function clusterIpProblems(spec: ServiceSpec, old: ServiceSpec | undefined): readonly FieldProblem[] {
  if (spec.type === 'ExternalName') return [];
  const problems: FieldProblem[] = [];
  const { clusterIP = '', clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = spec;

  if (clusterIP !== '') {
    if (clusterIPs.length === 0) problems.push(refuse.required(path));
    else if (clusterIPs[0] !== clusterIP) {
      problems.push(refuse.invalid(path, clusterIPs, 'first value must match `clusterIP`'));
    }
  } else if (clusterIPs.length > 0) {
    problems.push(refuse.invalid(path, clusterIPs, 'must be empty when `clusterIP` is not specified'));
  }

  ipFamilies.forEach((family, index) => {
    const at = `spec.ipFamilies[${index}]`;
    if (!families.includes(family)) problems.push(refuse.notSupported(at, family, families));
    if (ipFamilies.indexOf(family) < index) problems.push(refuse.duplicate(at, family));
  });
  if (ipFamilyPolicy !== undefined && !policies.includes(ipFamilyPolicy)) {
    problems.push(refuse.notSupported('spec.ipFamilyPolicy', ipFamilyPolicy, policies));
  }

  const before = problems.length;
  clusterIPs.forEach((ip, index) => {
    if (index > 0 || ip !== headless) {
      problems.push(...addressProblems(`${path}[${index}]`, ip, old?.clusterIPs));
    } else if (clusterIPs.length > 1) {
      problems.push(refuse.invalid(path, clusterIPs, "'None' must be the first and only value"));
    }
  });
  const areBad = problems.length > before;
  if (clusterIPs.length > 2) problems.push(refuse.invalid(path, clusterIPs, 'may only hold up to 2 values'));
  // Whatever else could be said of bad addresses would only confuse.
  if (areBad) return problems;

  if (clusterIPs.length > 1 && new Set(clusterIPs.map(familyOf)).size < 2) {
    problems.push(refuse.invalid(path, clusterIPs, 'may specify no more than one IP for each IP family'));
  }
  if (isHeadless(spec)) return problems;
  clusterIPs.slice(0, ipFamilies.length).forEach((ip, index) => {
    const expected = ipFamilies[index];
    if ((expected === 'IPv4' || expected === 'IPv6') && familyOf(ip) !== expected) {
      const detail = `expected an ${expected} value as indicated by \`ipFamilies[${index}]\``;
      problems.push(refuse.invalid(`${path}[${index}]`, ip, detail));
    }
  });
  return problems;
}

/** What is wrong with a change of a service's own addresses: the first of them stays while the service has any. */
export function clusterIpChangeProblems(spec: ServiceSpec, old: ServiceSpec): readonly FieldProblem[] {
  if (spec.type === 'ExternalName' || old.type === 'ExternalName') return [];
  return [...changedAddresses(spec, old), ...changedFamilies(spec, old)];
}

function changedAddresses(spec: ServiceSpec, old: ServiceSpec): readonly FieldProblem[] {
  if (isHeadless(old) && isHeadless(spec)) return [];
  const [now, was] = [spec.clusterIPs ?? [], old.clusterIPs ?? []];
  const changed = (index: number) => refuse.invalid(`${path}[${index}]`, now, 'may not change once set');
  if (was.length === now.length) return was.flatMap((ip, index) => (ip === now[index] ? [] : [changed(index)]));
  const problems: FieldProblem[] = [];
  if (now.length === 0) {
    problems.push(refuse.invalid(`${path}[0]`, spec.clusterIPs ?? null, 'primary clusterIP can not be unset'));
  } else if (was.length > 0 && now[0] !== was[0]) problems.push(changed(0));
  if (was.length > now.length && now.length === 1 && spec.ipFamilyPolicy !== 'SingleStack') {
    problems.push(mustBeSingle(spec, 'clusterIP'));
  }
  return problems;
}

function changedFamilies(spec: ServiceSpec, old: ServiceSpec): readonly FieldProblem[] {
  if (isHeadless(spec) || isHeadless(old)) return [];
  const [now, was] = [spec.ipFamilies ?? [], old.ipFamilies ?? []];
  const at = 'spec.ipFamilies[0]';
  if (was.length === now.length) {
    return was.flatMap((family, index) =>
      family === now[index] ? [] : [refuse.invalid(at, now, 'may not change once set')],
    );
  }
  const problems: FieldProblem[] = [];
  if (was.length > now.length && (spec.clusterIPs?.length ?? 0) === 0) {
    problems.push(refuse.invalid(at, now, 'primary ipFamily can not be unset'));
  }
  if (now.length > 0 && was.length > 0 && now[0] !== was[0]) {
    problems.push(refuse.invalid(at, spec.clusterIPs ?? null, 'may not change once set'));
  }
  if (was.length > now.length && now.length === 1 && spec.ipFamilyPolicy !== 'SingleStack') {
    problems.push(mustBeSingle(spec, 'ipFamily'));
  }
  return problems;
}

function mustBeSingle({ ipFamilyPolicy }: ServiceSpec, what: string): FieldProblem {
  const detail = `must be set to 'SingleStack' when releasing the secondary ${what}`;
  return refuse.invalid('spec.ipFamilyPolicy', ipFamilyPolicy ?? null, detail);
}
