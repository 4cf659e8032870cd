import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Clock } from '../../../kube/clock.js';
import type { QueueTelemetry } from '../telemetry.js';

/** As client-go has them: from ten nanoseconds to a thousand seconds. */
const buckets = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1, 10, 100, 1000];

export interface QueueMetrics extends QueueTelemetry {
  /** A key is worked on, until the returned function is called. */
  working(startedAt: number): () => void;
}

interface Queue {
  readonly depth: () => number;
  /** When the work that is under way was begun. */
  readonly working: Set<{ readonly startedAt: number }>;
}

/** Counts what becomes of keys. `name` and `controller` are the same: dashboards know both. */
export function queueMetrics(registers: Registry[], clock: Clock): (name: string, depth: () => number) => QueueMetrics {
  const labelNames = ['name', 'controller'] as const;
  const queues = new Map<string, Queue>();
  const adds = new Counter({
    name: 'workqueue_adds_total',
    help: 'Keys that became ready for work.',
    labelNames,
    registers,
  });
  const retries = new Counter({
    name: 'workqueue_retries_total',
    help: 'Keys that failed and are tried again.',
    labelNames,
    registers,
  });
  const waited = new Histogram({
    name: 'workqueue_queue_duration_seconds',
    help: 'How long keys were ready before they were worked on.',
    labelNames,
    buckets,
    registers,
  });
  const worked = new Histogram({
    name: 'workqueue_work_duration_seconds',
    help: 'How long keys were worked on.',
    labelNames,
    buckets,
    registers,
  });
  const collected = (metric: string, help: string, value: (queue: Queue) => number): void => {
    new Gauge({
      name: metric,
      help,
      labelNames,
      registers,
      collect() {
        for (const [name, queue] of queues) this.set({ name, controller: name }, value(queue));
      },
    });
  };
  const ages = ({ working }: Queue) => [...working].map(({ startedAt }) => (clock.monotonic() - startedAt) / 1000);
  collected('workqueue_depth', 'Keys that are ready and wait for a worker.', ({ depth }) => depth());
  collected('workqueue_unfinished_work_seconds', 'Age of the work under way, summed up.', (queue) =>
    ages(queue).reduce((sum, age) => sum + age, 0),
  );
  collected('workqueue_longest_running_processor_seconds', 'Age of the oldest work under way.', (queue) =>
    Math.max(0, ...ages(queue)),
  );

  return (name, depth) => {
    const working: Queue['working'] = new Set();
    queues.set(name, { depth, working });
    const [added, retried] = [adds.labels(name, name), retries.labels(name, name)];
    const [waits, works] = [waited.labels(name, name), worked.labels(name, name)];
    added.inc(0);
    retried.inc(0);
    for (const histogram of [waited, worked]) histogram.zero({ name, controller: name });
    return {
      added: () => added.inc(),
      retried: () => retried.inc(),
      taken: (milliseconds) => waits.observe(milliseconds / 1000),
      working(startedAt) {
        const work = { startedAt };
        working.add(work);
        return () => {
          working.delete(work);
          works.observe((clock.monotonic() - startedAt) / 1000);
        };
      },
    };
  };
}
