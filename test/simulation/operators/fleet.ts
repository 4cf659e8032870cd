import { Secret } from '../../../imports/k8s.js';
import { customResource, operator, s } from '../../../src/index.js';
import type { Edition } from '../schedule.js';
import type { Names } from './names.js';
import { Site } from './site.js';

export const Fleet = customResource({
  group: 'sim.example.com',
  version: 'v1',
  kind: 'Fleet',
  spec: s.object({ count: s.int32({ minimum: 0, maximum: 4 }), value: s.string() }),
  status: s.object({ serving: s.int32(), values: s.array(s.string()) }),
});

/**
 * Children that are custom resources themselves, of which the status tells; and rounds that time asks for. The second edition
 * keeps another key.
 */
export const fleetOf = (edition: Edition, { name, formerly = [] }: Names = { name: 'fleet' }) =>
  operator(Fleet, {
    name,
    formerly,
    owns: [Site, Secret],
    requeueAfterSeconds: 170,
    maxConcurrentReconciles: 2,
    compose(scope, { metadata, spec }) {
      const sites = Array.from(
        { length: spec.count },
        (_, index) => new Site(scope, `${index}`, { spec: { value: spec.value } }),
      );
      new Secret(scope, 'key', {
        stringData: {
          generation: String(metadata.generation ?? 0),
          value: `${spec.value}${edition === 'second' ? '!' : ''}`,
        },
      });
      return Object.fromEntries(sites.map((each, index) => [`site${index}`, each]));
    },
    status(children) {
      const seen = Object.values(children).map(
        (child) => (child?.status as { readonly seen?: string } | undefined)?.seen,
      );
      const values = seen.filter((value) => value !== undefined);
      return { serving: values.length, values };
    },
  });
