import { ConfigMap, Secret } from '../../../imports/k8s.js';
import { customResource, many, one, operator, s } from '../../../src/index.js';
import type { Edition } from '../schedule.js';
import type { Names } from './names.js';

export const Report = customResource({
  group: 'sim.example.com',
  version: 'v1',
  kind: 'Report',
  spec: s.object({
    /** Name of the ConfigMap that it is about. */
    source: s.string(),
    /** Which Secrets have a chapter each. */
    topic: s.string(),
  }),
  status: s.object({ title: s.string({ optional: true }), chapters: s.int32(), written: s.string({ optional: true }) }),
});

/** What is read decides which children there are. In the second edition one has another name. */
export const reportOf = (edition: Edition, { name, formerly = [] }: Names = { name: 'report' }) =>
  operator(Report, {
    name,
    formerly,
    owns: [ConfigMap],
    reads: {
      source: one(ConfigMap, ({ spec }) => ({ name: spec.source })),
      notes: many(Secret, ({ spec }) => ({ labels: { topic: spec.topic } })),
    },
    compose(scope, { metadata, spec }, { source, notes }) {
      for (const note of notes) {
        new ConfigMap(scope, `chapter-${note.metadata.name}`, { data: { text: note.data?.['text'] ?? '' } });
      }
      const summary = new ConfigMap(scope, edition === 'second' ? 'digest' : 'summary', {
        data: {
          generation: String(metadata.generation ?? 0),
          topic: spec.topic,
          title: source?.data?.['title'] ?? 'untitled',
          chapters: notes.map((note) => note.metadata.name).join(' '),
        },
      });
      return { summary };
    },
    status({ summary }, { source, notes }) {
      return { title: source?.data?.['title'], chapters: notes.length, written: summary?.data?.['chapters'] };
    },
  });
