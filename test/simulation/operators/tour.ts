import { ConfigMap } from '../../../imports/k8s.js';
import { customResource, operator, s } from '../../../src/index.js';
import { haltNameOf, stopNameOf } from '../far.js';
import type { Edition } from '../schedule.js';

export const Tour = customResource({
  group: 'sim.example.com',
  version: 'v1',
  kind: 'Tour',
  spec: s.object({
    value: s.string(),
    /** The namespace where it stops: a child that moves, appears and disappears where no owner reference reaches. */
    to: s.string({ optional: true }),
    /** The namespace where it halts besides: a second such child. */
    also: s.string({ optional: true }),
  }),
  status: s.object({
    planned: s.string({ optional: true }),
    stopped: s.string({ optional: true }),
    halted: s.string({ optional: true }),
  }),
});

/**
 * A child beside it, and up to two in other namespaces, where these accept them. Its finalizer is for the latter. In the second
 * edition they are called something else.
 */
export const tourOf = (edition: Edition) =>
  operator(Tour, {
    owns: [ConfigMap],
    reach: 'consent',
    compose(scope, { metadata, spec }) {
      // Which edit of the custom resource a child is of: an older one is never written over a newer one.
      const data = { generation: String(metadata.generation ?? 0), value: spec.value };
      const plan = new ConfigMap(scope, 'plan', { data });
      const { namespace: home = '', name: own } = metadata;
      const away = (id: string, namespace: string, name: string) =>
        new ConfigMap(scope, id, {
          metadata: { namespace, name: `${name}${edition === 'second' ? '-2' : ''}` },
          data,
        });
      const stop = spec.to === undefined ? undefined : away('stop', spec.to, stopNameOf(home, own));
      const halt = spec.also === undefined ? undefined : away('halt', spec.also, haltNameOf(home, own));
      return { plan, stop, halt };
    },
    status({ plan, stop, halt }) {
      return { planned: plan?.data?.['value'], stopped: stop?.data?.['value'], halted: halt?.data?.['value'] };
    },
  });
