import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Clock } from '../../../kube/clock.js';
import type { Outcome } from '../../outcome.js';
import type { ControllerFacts, ControllerTelemetry, Telemetry } from '../telemetry.js';
import { queueMetrics } from './queue-metrics.js';

/** As controller-runtime has them. */
const reconcileBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9,
].concat([1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60]);

const results = ['success', 'error', 'requeue', 'requeue_after'] as const;
type Result = (typeof results)[number];

/** What is done about drift that is put back. */
const mode = 'enforce';

/** Counts what the loops of operators do. */
export function controllerMetrics(registers: Registry[], clock: Clock): Telemetry['controller'] {
  const metrics = declared(registers);
  const queue = queueMetrics(registers, clock);
  const loops = new Map<string, ControllerFacts>();
  collectFacts(registers, loops);

  return (controller, facts): ControllerTelemetry => {
    loops.set(controller, facts);
    metrics.workers.set({ controller }, facts.workers);
    // Bound once, so that no label is looked at while a reconcile runs; and there from the start, at zero.
    const total = new Map(results.map((result) => [result, metrics.total.labels(controller, result)]));
    const errors = metrics.errors.labels(controller);
    const terminal = metrics.terminal.labels(controller);
    const panics = metrics.panics.labels(controller);
    const active = metrics.active.labels(controller);
    const time = metrics.time.labels(controller);
    for (const counter of [...total.values(), errors, terminal, panics]) counter.inc(0);
    // A series that begins with its first fight has no increase to be alerted of.
    for (const kind of [facts.kind, ...facts.children().keys()]) metrics.fights.inc({ controller, kind }, 0);
    active.set(0);
    metrics.time.zero({ controller });
    const queued = queue(controller, facts.depth);

    return {
      ...queued,
      reconciling() {
        const startedAt = clock.monotonic();
        const finished = queued.working(startedAt);
        active.inc();
        return {
          ended(outcome) {
            active.dec();
            time.observe((clock.monotonic() - startedAt) / 1000);
            finished();
            const result = resultOf(outcome);
            total.get(result)?.inc();
            if (result !== 'error') return;
            errors.inc();
            if (outcome === 'thrown') panics.inc();
            else if (outcome.failure === 'terminal') terminal.inc();
          },
        };
      },
      drifted: (kind) => metrics.driftDetected.inc({ controller, kind, mode }),
      changed({ ref: { kind }, action, drift = [], reported = [] }) {
        if (reported.length > 0) metrics.driftDetected.inc({ controller, kind, mode: 'report' });
        if (action === 'unchanged') return;
        metrics.apply.inc({ controller, kind, action });
        if (action === 'pruned') metrics.prune.inc({ controller, kind });
        if (action === 'corrected' && drift.length > 0) metrics.driftCorrected.inc({ controller, kind, mode });
      },
      fought: (kind) => metrics.fights.inc({ controller, kind }),
      failed: (reason) => metrics.failures.inc({ controller, reason }),
    };
  };
}

function resultOf(outcome: Outcome | 'thrown'): Result {
  if (outcome === 'thrown' || outcome.failure !== undefined) return 'error';
  if (outcome.type === 'retry') return 'requeue';
  if (outcome.type === 'wait' || outcome.type === 'behind') return 'requeue_after';
  const isLater = outcome.type === 'done' && outcome.againAfterMilliseconds !== undefined;
  return isLater ? 'requeue_after' : 'success';
}

function declared(registers: Registry[]) {
  const labelNames = ['controller'] as const;
  return {
    total: new Counter({
      name: 'controller_runtime_reconcile_total',
      help: 'Reconciles, by how they ended.',
      labelNames: ['controller', 'result'],
      registers,
    }),
    errors: new Counter({
      name: 'controller_runtime_reconcile_errors_total',
      help: 'Reconciles that failed.',
      labelNames,
      registers,
    }),
    terminal: new Counter({
      name: 'controller_runtime_terminal_reconcile_errors_total',
      help: 'Reconciles that failed, and are not tried again until something changes.',
      labelNames,
      registers,
    }),
    panics: new Counter({
      name: 'controller_runtime_reconcile_panics_total',
      help: 'Reconciles that ended by an error that nobody foresaw.',
      labelNames,
      registers,
    }),
    time: new Histogram({
      name: 'controller_runtime_reconcile_time_seconds',
      help: 'How long reconciles took.',
      labelNames,
      buckets: reconcileBuckets,
      registers,
    }),
    workers: new Gauge({
      name: 'controller_runtime_max_concurrent_reconciles',
      help: 'How many reconciles may run at once.',
      labelNames,
      registers,
    }),
    active: new Gauge({
      name: 'controller_runtime_active_workers',
      help: 'How many reconciles run.',
      labelNames,
      registers,
    }),
    failures: new Counter({
      name: 'kilter_reconcile_failures_total',
      help: 'Reconciles that failed, by the reason that the condition Ready has.',
      labelNames: ['controller', 'reason'],
      registers,
    }),
    apply: new Counter({
      name: 'kilter_apply_total',
      help: 'What became of children: created, adopted, configured, corrected, pruned or skipped.',
      labelNames: ['controller', 'kind', 'action'],
      registers,
    }),
    prune: new Counter({
      name: 'kilter_prune_total',
      help: 'Children, and what is outside the cluster, that were deleted, since they are no longer wanted, or have to be made anew.',
      labelNames: ['controller', 'kind'],
      registers,
    }),
    driftDetected: new Counter({
      name: 'kilter_drift_detected_total',
      help: 'Times that a child was found changed by somebody else, by what is done about it.',
      labelNames: ['controller', 'kind', 'mode'],
      registers,
    }),
    fights: new Counter({
      name: 'kilter_fights_total',
      help: 'Fights that were recognised: somebody else changes back what is put back.',
      labelNames: ['controller', 'kind'],
      registers,
    }),
    driftCorrected: new Counter({
      name: 'kilter_drift_corrected_total',
      help: 'Children that were brought back to what is desired.',
      labelNames: ['controller', 'kind', 'mode'],
      registers,
    }),
  };
}

/** What is there when somebody looks. */
function collectFacts(registers: Registry[], loops: ReadonlyMap<string, ControllerFacts>): void {
  new Gauge({
    name: 'kilter_custom_resources',
    help: 'Custom resources, by the status of their condition Ready.',
    labelNames: ['controller', 'ready'],
    registers,
    collect() {
      for (const [controller, { customResources }] of loops) {
        for (const [ready, count] of customResources()) this.set({ controller, ready }, count);
      }
    },
  });
  new Gauge({
    name: 'kilter_rollout_waiting',
    help: 'Custom resources that wait until others are ready which this version has changed, with --rollout-limit.',
    labelNames: ['controller'],
    registers,
    collect() {
      for (const [controller, { rolloutWaiting }] of loops) {
        const waiting = rolloutWaiting();
        if (waiting !== undefined) this.set({ controller }, waiting);
      }
    },
  });
  new Gauge({
    name: 'kilter_inventory_objects',
    help: 'Children of custom resources that there are.',
    labelNames: ['controller', 'kind'],
    registers,
    collect() {
      for (const [controller, { children }] of loops) {
        for (const [kind, count] of children()) this.set({ controller, kind }, count);
      }
    },
  });
}
