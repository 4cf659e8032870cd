import type { PodSpec } from '../../../../imports/k8s.js';
import { atMostCharacters, mustMatch } from '../../../schema/name-formats.js';
import { addressProblems } from '../addresses.js';
import type { Problems } from '../problems.js';
import type { Unchecked } from '../unchecked.js';

const label = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const pattern = `${label}(\\.${label})*`;
const isSearchDomain = new RegExp(`^${pattern}$`);
const notASearchDomain = mustMatch(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
  pattern,
  'example.com',
);

/** https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/#pod-dns-config */
export function dnsProblems(found: Problems, path: string, { dnsConfig, dnsPolicy }: Unchecked<PodSpec>): void {
  const nameservers = dnsConfig?.nameservers ?? [];
  if (dnsPolicy === 'None') {
    if (dnsConfig === undefined) {
      found.required(path, 'must provide `dnsConfig` when `dnsPolicy` is None');
      return;
    }
    if (nameservers.length === 0) {
      found.required(`${path}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None');
      return;
    }
  }
  if (dnsConfig === undefined) return;
  if (nameservers.length > 3) {
    found.invalid(`${path}.nameservers`, nameservers, 'must not have more than 3 nameservers');
  }
  nameservers.forEach((each, index) => {
    found.add(addressProblems(`${path}.nameservers[${index}]`, each));
  });
  const { searches = [], options = [] } = dnsConfig;
  if (searches.length > 32) found.invalid(`${path}.searches`, searches, 'must not have more than 32 search paths');
  if (searches.join(' ').length > 2048) {
    const detail = 'must not have more than 2048 characters (including spaces) in the search list';
    found.invalid(`${path}.searches`, searches, detail);
  }
  searches.forEach((each, index) => {
    if (each !== '.') found.format(`${path}.searches[${index}]`, each.replace(/\.$/, ''), searchDomain);
  });
  options.forEach(({ name = '' }, index) => {
    if (name === '') found.required(`${path}.options[${index}]`, 'must not be empty');
  });
}

function searchDomain(text: string): readonly string[] {
  const problems = text.length > 253 ? [atMostCharacters(253)] : [];
  if (!isSearchDomain.test(text)) problems.push(notASearchDomain);
  return problems;
}
