import { ConfigMap, Service } from '../../../imports/k8s.js';
import { customResource, operator, s } from '../../../src/index.js';
import type { Edition } from '../schedule.js';
import type { Names } from './names.js';

export const Site = customResource({
  group: 'sim.example.com',
  version: 'v1',
  kind: 'Site',
  spec: s.object({
    value: s.string(),
    /** What the page is called, besides the site itself: a change moves a child to another name. */
    suffix: s.string({ default: 'page' }),
    /** Whether there is a Service, and where: a child that appears and disappears. */
    port: s.int32({ optional: true }),
    /** A field of a child that comes and goes. */
    extra: s.string({ optional: true }),
  }),
  status: s.object({ seen: s.string({ optional: true, maxLength: 20 }), port: s.int32({ optional: true }) }),
});

/** Whether a Site says more in its status than its own schema takes. */
export const isWordy = ({ value }: { readonly value?: unknown }): boolean => value === 'wordy';

/**
 * Children that move, appear and disappear, code that throws, also for want of a child, a child that the API server refuses, and
 * a status that it refuses. The second edition has a child more and no Service, and says in its page another thing more and one less.
 */
export const siteOf = (edition: Edition, { name, formerly = [] }: Names = { name: 'site' }) => {
  const isSecond = edition === 'second';
  return operator(Site, {
    name,
    formerly,
    owns: [ConfigMap, Service],
    compose(scope, { metadata, spec }) {
      if (spec.value === 'throw')
        throw new Error(`${metadata.name} cannot be composed${name === 'site' ? '' : ` by ${name}`}`);
      // Which edit of the custom resource a child is of: an older one is never written over a newer one.
      const generation = String(metadata.generation ?? 0);
      const page = new ConfigMap(scope, 'page', {
        metadata: { name: `${metadata.name}-${spec.suffix}` },
        data: {
          generation,
          value: spec.value,
          ...(isSecond ? { edition } : spec.extra === undefined ? {} : { extra: spec.extra }),
          ...(spec.value === 'refused' ? { 'no such key': 'the API server refuses it' } : {}),
        },
      });
      if (isSecond) new ConfigMap(scope, 'notice', { data: { generation, value: spec.value } });
      const service =
        isSecond || spec.port === undefined
          ? undefined
          : new Service(scope, 'service', {
              spec: { clusterIP: 'None', selector: { site: metadata.name }, ports: [{ name: 'web', port: spec.port }] },
            });
      return { page, service };
    },
    status({ page, service }, _, { metadata, spec }) {
      if (spec.value === 'strict') {
        const isThere = page?.data?.['generation'] === String(metadata.generation ?? 0);
        const lacksService = !isSecond && spec.port !== undefined && !service;
        if (!isThere || lacksService) throw new Error(`${metadata.name} lacks a child`);
      }
      const seen = isWordy(spec) ? 'more than anybody wants to know' : page?.data?.['value'];
      return { seen, port: service?.spec?.ports?.[0]?.port };
    },
  });
};
