import { goQuote } from '../../schema/go-format.js';
import { coversPath, type PolicyRule } from './policy-rule.js';

/** What of `wanted` is in none of `held`, in the server's words, one rule a line: empty when all of it is held. */
export function notCovered(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly string[] {
  const missing = wanted.flatMap(broken).filter((rule) => !held.some((other) => covers(other, rule)));
  return [...new Set(compacted(missing).map(shown))].sort();
}

/** The same rule as many, each with one verb and one resource or URL. */
function broken({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: PolicyRule) {
  const rules: PolicyRule[] = [];
  for (const group of apiGroups) {
    for (const resource of resources) {
      for (const verb of verbs) {
        const rule = { apiGroups: [group], resources: [resource], verbs: [verb] };
        if (resourceNames.length === 0) rules.push(rule);
        else rules.push(...resourceNames.map((name) => ({ ...rule, resourceNames: [name] })));
      }
    }
  }
  for (const url of nonResourceURLs) rules.push(...verbs.map((verb) => ({ nonResourceURLs: [url], verbs: [verb] })));
  return rules;
}

function covers(
  held: PolicyRule,
  { verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule,
): boolean {
  const has = (list: readonly string[] | undefined, value: string) => list?.includes('*') || list?.includes(value);
  return (
    verbs.every((verb) => has(held.verbs, verb)) &&
    (apiGroups ?? []).every((group) => has(held.apiGroups, group)) &&
    (resources ?? []).every((resource) => hasResource(held.resources ?? [], resource)) &&
    (nonResourceURLs ?? []).every((path) => held.nonResourceURLs?.some((url) => coversPath(url, path))) &&
    ((held.resourceNames ?? []).length === 0 ||
      (resourceNames?.every((name) => held.resourceNames?.includes(name)) ?? false))
  );
}

function hasResource(held: readonly string[], resource: string): boolean {
  if (held.includes('*') || held.includes(resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && held.includes(`*${resource.slice(slash)}`);
}

/** Rules that differ by nothing but their verbs as one. */
function compacted(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const merged = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const key = rule.nonResourceURLs
      ? JSON.stringify(rule)
      : JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames]);
    const other = merged.get(key);
    merged.set(key, other && !rule.nonResourceURLs ? { ...rule, verbs: [...other.verbs, ...rule.verbs] } : rule);
  }
  return [...merged.values()];
}

function shown({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }: PolicyRule): string {
  const parts = Object.entries({
    APIGroups: apiGroups,
    Resources: resources,
    NonResourceURLs: nonResourceURLs,
    ResourceNames: resourceNames,
    Verbs: verbs,
  });
  const given = parts.flatMap(([name, list]) => (list?.length ? [`${name}:${goQuotes(list)}`] : []));
  return `{${given.join(', ')}}`;
}

/** A list of strings as Go's `%q` writes it. */
export function goQuotes(list: readonly string[]): string {
  return `[${list.map(goQuote).join(' ')}]`;
}
