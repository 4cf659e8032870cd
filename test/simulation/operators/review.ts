import { ConfigMap, Secret } from '../../../imports/k8s.js';
import { customResource, many, one, operator, optional, s } from '../../../src/index.js';

export const Review = customResource({
  group: 'sim.example.com',
  version: 'v1',
  kind: 'Review',
  spec: s.object({
    value: s.string(),
    /** The namespace of what it reads, which several read. */
    from: s.string(),
    /** Which Secrets of that namespace have a page each. */
    subject: s.string(),
    /** The namespace of its gem, if not its own. */
    to: s.string({ optional: true }),
  }),
  status: s.object({
    lore: s.string({ optional: true }),
    pages: s.int32(),
    gem: s.string({ optional: true }),
    written: s.string({ optional: true }),
  }),
});

/** A kind that a cluster may have or not have. Nobody is its operator. */
export const Gem = customResource({
  group: 'sim.example.com',
  version: 'v1',
  kind: 'Gem',
  spec: s.object({ value: s.string(), generation: s.string() }),
  status: s.object({ seen: s.string({ optional: true }) }),
});

/** What the gem of a Review is called where it is in another namespace: those of two namespaces may be in one third. */
export function farGemNameOf(namespace: string, name: string): string {
  return `${namespace}-${name}-gem`;
}

/** Inputs of other namespaces, which several share where they are shared with them, and a child of a kind that comes and goes. */
export const review = operator(Review, {
  owns: [ConfigMap, optional(Gem)],
  reach: 'consent',
  reads: {
    lore: one(ConfigMap, ({ spec }) => ({ namespace: spec.from, name: 'lore' })),
    pages: many(Secret, ({ spec }) => ({ namespace: spec.from, labels: { subject: spec.subject } })),
  },
  compose(scope, { metadata, spec }, { lore, pages }) {
    const generation = String(metadata.generation ?? 0);
    for (const page of pages) {
      new ConfigMap(scope, `page-${page.metadata.name}`, {
        data: { size: String(page.data?.['text']?.length) },
      });
    }
    const summary = new ConfigMap(scope, 'gist', {
      data: { generation, value: spec.value, title: lore?.data?.['title'] ?? 'untold' },
    });
    const { namespace: home = '', name } = metadata;
    const where =
      spec.to === undefined || spec.to === home
        ? {}
        : { metadata: { namespace: spec.to, name: farGemNameOf(home, name) } };
    const gem = new Gem(scope, 'gem', { ...where, spec: { value: `${spec.value} ${pages.length}`, generation } });
    return { summary, gem };
  },
  status: ({ summary, gem }, { lore, pages }) => ({
    lore: lore?.data?.['title'],
    pages: pages.length,
    gem: gem?.spec?.value,
    written: summary?.data?.['value'],
  }),
});
