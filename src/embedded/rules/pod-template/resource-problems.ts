import type { ResourceRequirements } from '../../../../imports/k8s.js';
import { parseQuantity } from '../../../kube/quantity.js';
import type { FieldProblem } from '../../../schema/field-problem.js';
import { type Amounts, amountProblems, compareAmounts, shownAmount } from '../amounts.js';
import type { Problems } from '../problems.js';
import { isHugePages, isNative } from '../resource-names.js';
import type { Unchecked } from '../unchecked.js';

/** What is wrong with the amounts that a container or a Pod asks for. The server's order of names is that of chance. */
export function resourceProblems(
  found: Problems,
  path: string,
  { limits, requests, claims }: Unchecked<ResourceRequirements>,
  claimNames: ReadonlySet<string>,
  nameProblems: (path: string, name: string) => readonly FieldProblem[],
): void {
  const limit = (limits ?? {}) as Amounts;
  const request = (requests ?? {}) as Amounts;
  for (const name in limit) {
    amount(found, `${path}.limits[${name}]`, name, limit[name]!, nameProblems);
  }
  for (const name in request) {
    const value = request[name]!;
    const at = `${path}.requests[${name}]`;
    found.add(nameProblems(at, name));
    found.add(amountProblems(at, name, value));
    againstLimit(found, path, name, value, limit[name]);
    if (isHugePages(name)) hugePages(found, at, name, value);
  }
  const names = [...Object.keys(limit), ...Object.keys(request)];
  if (names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory')) {
    found.forbidden(path, 'HugePages require cpu or memory');
  }
  if (claims !== undefined) claimProblems(found, `${path}.claims`, claims, claimNames);
}

function amount(
  found: Problems,
  path: string,
  name: string,
  value: string | number,
  nameProblems: (path: string, name: string) => readonly FieldProblem[],
): void {
  found.add(nameProblems(path, name));
  found.add(amountProblems(path, name, value));
  if (isHugePages(name)) hugePages(found, path, name, value);
}

function againstLimit(
  found: Problems,
  path: string,
  name: string,
  value: string | number,
  limit: string | number | undefined,
): void {
  const mayDiffer = isNative(name) && !isHugePages(name);
  if (limit === undefined) {
    if (!mayDiffer) found.required(`${path}.limits`, 'Limit must be set for non overcommitable resources');
    return;
  }
  const order = compareAmounts(value, limit);
  const rule = order !== 0 && !mayDiffer ? 'must be equal to' : order > 0 ? 'must be less than or equal to' : undefined;
  if (rule !== undefined) {
    found.invalid(`${path}.requests`, shownAmount(value), `${rule} ${name} limit of ${shownAmount(limit)}`);
  }
}

/** An amount of huge pages must be whole pages. */
function hugePages(found: Problems, path: string, name: string, value: string | number): void {
  const page = wholeUnits(name.slice('hugepages-'.length));
  const all = wholeUnits(String(value));
  if (page !== undefined && page > 0n && all !== undefined && all % page === 0n) return;
  found.invalid(path, shownAmount(value), `${shownAmount(value)} is not positive integer multiple of ${name}`);
}

function wholeUnits(text: string): bigint | undefined {
  try {
    const { unscaled, exponent } = parseQuantity(text);
    return exponent >= 0 ? unscaled * 10n ** BigInt(exponent) : unscaled / 10n ** BigInt(-exponent);
  } catch {
    return undefined;
  }
}

function claimProblems(
  found: Problems,
  path: string,
  claims: NonNullable<Unchecked<ResourceRequirements>['claims']>,
  claimNames: ReadonlySet<string>,
): void {
  const seen = new Set<string>();
  claims.forEach(({ name = '', request = '' }, index) => {
    const at = `${path}[${index}]`;
    if (name === '') {
      found.required(at);
      return;
    }
    if (seen.has(name)) found.duplicate(at, name);
    else {
      const key = request === '' ? name : `${name}/${request}`;
      if (request !== '') found.label(`${at}.request`, request);
      if (seen.has(key)) found.duplicate(at, key);
      else if (request === '') {
        for (const other of seen) if (other.startsWith(`${name}/`)) found.duplicate(at, name);
      }
      seen.add(key);
    }
    if (claimNames.has(name)) return;
    const which = claimNames.size === 0 ? ' which is empty' : `: ${[...claimNames].sort().join(', ')}`;
    found.notFound(at, name, `must be one of the names in pod.spec.resourceClaims${which}`);
  });
}
