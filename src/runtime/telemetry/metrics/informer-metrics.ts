import { Counter, Gauge, type Registry } from 'prom-client';
import { groupResourceOf } from '../../../kube/api-resource.js';
import type { Informer } from '../../informer/informer.js';
import type { Telemetry } from '../telemetry.js';

/** Counts what informers do, and shows the state of those that `watch` names. */
export function informerMetrics(registers: Registry[]): {
  readonly kind: Telemetry['kind'];
  readonly watch: (informers: () => readonly Informer[]) => void;
} {
  let informers: () => readonly Informer[] = () => [];
  const labelNames = ['resource'] as const;
  const lists = new Counter({
    name: 'kilter_informer_lists_total',
    help: 'Complete lists that filled a store, the first one included.',
    labelNames,
    registers,
  });
  const events = new Counter({
    name: 'kilter_informer_events_total',
    help: 'Events that watches brought.',
    labelNames,
    registers,
  });
  const restarts = new Counter({
    name: 'kilter_informer_restarts_total',
    help: 'Watches and lists that failed and began anew, by why; not those that the API server ended in good order.',
    labelNames: ['resource', 'reason'],
    registers,
  });
  /** Several informers of one kind, one a namespace, are shown as one. */
  const collected = (name: string, help: string, value: (informer: Informer) => number, join: Join): void => {
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect() {
        const values = new Map<string, number[]>();
        for (const informer of informers()) {
          const resource = groupResourceOf(informer.resource);
          values.set(resource, [...(values.get(resource) ?? []), value(informer)]);
        }
        for (const [resource, each] of values)
          this.set(
            { resource },
            each.reduce((a, b) => join(a, b)),
          );
      },
    });
  };
  collected(
    'kilter_store_objects',
    'Objects in the store.',
    ({ store }) => store.size,
    (a, b) => a + b,
  );
  collected(
    'kilter_informer_synced',
    'One once the store has held a complete list.',
    ({ isSynced }) => (isSynced ? 1 : 0),
    Math.min,
  );
  collected(
    'kilter_informer_silent_seconds',
    'How long ago the API server last showed how things are, by a list or on the watch; zero while it does not serve the kind.',
    ({ isServed, staleMilliseconds }) => (isServed ? staleMilliseconds / 1000 : 0),
    Math.max,
  );
  collected(
    'kilter_informer_served',
    'Zero while the API server does not serve the kind.',
    ({ isServed }) => (isServed ? 1 : 0),
    Math.min,
  );
  return {
    kind(kind) {
      const resource = groupResourceOf(kind);
      const [listed, heard] = [lists.labels(resource), events.labels(resource)];
      listed.inc(0);
      heard.inc(0);
      return {
        listed: () => listed.inc(),
        heard: () => heard.inc(),
        restarted: (reason) => restarts.inc({ resource, reason }),
      };
    },
    watch(list) {
      informers = list;
    },
  };
}

type Join = (a: number, b: number) => number;
