import type { Random } from '../../../../src/kube/clock.js';
import type { ManifestCase } from './manifest-case.js';

/**
 * The same manifest in other words: keys and list items in another order, quantities in another spelling, and odd things
 * in its metadata. Whatever comes out is accepted by the API server, too.
 */
export function variationOf({ title, resource, body }: ManifestCase, random: Random, number: number): ManifestCase {
  const varied = reordered(body, random) as Record<string, unknown>;
  const { metadata = {} } = varied as { readonly metadata?: Readonly<Record<string, unknown>> };
  // A name that is given is the name of another object already.
  const { name: _, ...others } = metadata;
  return {
    title: `${title}, in other words ${number}`,
    resource,
    body: { ...varied, metadata: { ...others, ...pick(oddMetadata, random) } },
  };
}

const oddMetadata: readonly object[] = [
  {},
  { labels: {} },
  { labels: null, annotations: null },
  { annotations: { 'example.com/note': 'grüße ☃ 𝔘\u2028', empty: '' } },
  { labels: { 'example.com/team': '', 'a.b-c_d': 'x' }, annotations: {} },
  { finalizers: [] },
];

const spellings: readonly (readonly unknown[])[] = [
  ['1000m', '1', 1, '1.0', '1e0', '1000e-3', '+1'],
  ['2048Mi', '2Gi', '2147483648', 2147483648, '2097152Ki'],
  ['1e3', '1000', '1k', 1000],
  ['100m', '0.1', 0.1, '1e-1', '.1'],
];

function reordered(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => reordered(item, random));
    return items.every((item) => typeof item === 'object' && item !== null) ? shuffled(items, random) : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, child]) => [
    key,
    /^(requests|limits|hard|capacity)$/.test(key) && !Array.isArray(child)
      ? respelled(child, random)
      : reordered(child, random),
  ]);
  return Object.fromEntries(shuffled(entries, random));
}

function respelled(quantities: unknown, random: Random): unknown {
  if (typeof quantities !== 'object' || quantities === null) return quantities;
  const entries = Object.entries(quantities).map(([key, quantity]) => {
    const others = spellings.find((same) => same.includes(quantity));
    return [key, others ? pick(others, random) : quantity];
  });
  return Object.fromEntries(shuffled(entries, random));
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => [random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

function pick<T>(items: readonly T[], random: Random): T {
  return items[Math.floor(random() * items.length)]!;
}
