import { ConfigMap } from '../../../imports/k8s.js';
import { customResource, operator, s } from '../../../src/index.js';
import { stopNameOf } from '../far.js';
import type { Edition } from '../schedule.js';

export const Tour = customResource({
  group: 'sim.example.com',
  version: 'v1',
  kind: 'Tour',
  spec: s.object({
    value: s.string(),
    /** The namespace where it stops: a child that moves, appears and disappears where no owner reference reaches. */
    to: s.string({ optional: true }),
  }),
  status: s.object({ planned: s.string({ optional: true }), stopped: s.string({ optional: true }) }),
});

/**
 * A child beside it, and one in another namespace, where that one accepts it. Its finalizer is for the latter. In the second
 * edition that is called something else.
 */
export const tourOf = (edition: Edition) =>
  operator(Tour, {
    owns: [ConfigMap],
    reach: 'consent',
    compose(scope, { metadata, spec }) {
      // Which edit of the custom resource a child is of: an older one is never written over a newer one.
      const data = { generation: String(metadata.generation ?? 0), value: spec.value };
      const plan = new ConfigMap(scope, 'plan', { data });
      const stop =
        spec.to === undefined
          ? undefined
          : new ConfigMap(scope, 'stop', {
              metadata: {
                namespace: spec.to,
                name: `${stopNameOf(metadata.namespace ?? '', metadata.name)}${edition === 'second' ? '-2' : ''}`,
              },
              data,
            });
      return { plan, stop };
    },
    status({ plan, stop }) {
      return { planned: plan?.data?.['value'], stopped: stop?.data?.['value'] };
    },
  });
