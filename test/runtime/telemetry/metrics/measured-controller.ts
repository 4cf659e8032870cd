import { setMaxListeners } from 'node:events';
import type { Operator } from '../../../../src/compose/operator.js';
import type { DriftMode } from '../../../../src/kube/drift-mode.js';
import { LoopWatch } from '../../../../src/runtime/process/loop-watch.js';
import { healthOf } from '../../../../src/runtime/process/probes.js';
import { type Controller, runController } from '../../../../src/runtime/run-controller.js';
import { Metrics } from '../../../../src/runtime/telemetry/metrics/metrics.js';
import { FaultyCluster } from '../../../../src/testing/faulty-cluster.js';
import { LineLog, type LogLine } from '../../../../src/testing/line-log.js';
import { PlannedFaults } from '../../../../src/testing/planned-faults.js';
import type { TestCluster } from '../../../../src/testing/test-cluster.js';
import { type Family, parseExposition } from './exposition.js';

/** The production controller on a test's cluster, as `controller.ts` puts it together, with its metrics and probes. */
export interface MeasuredController {
  readonly controller: Controller;
  readonly faults: PlannedFaults;
  readonly metrics: Metrics;
  readonly loop: LoopWatch;
  readonly log: readonly LogLine[];
  scrape(): Promise<readonly Family[]>;
  probe(path: string): { readonly code: number; readonly text: string };
  stop(): void;
}

export async function runMeasured(
  cluster: TestCluster,
  operators: readonly Operator[],
  options: {
    readonly resyncSeconds?: number;
    readonly driftMode?: DriftMode;
    readonly namespaces?: readonly string[];
    /** What goes wrong from the start. */
    readonly faults?: (faults: PlannedFaults) => void;
  } = {},
): Promise<MeasuredController> {
  for (const { resource } of operators) await cluster.install(resource.crd());
  const { clock, server } = cluster;
  const metrics = new Metrics({ clock, apiServer: 'embedded' });
  const loop = new LoopWatch(clock);
  metrics.loop(loop);
  const faults = new PlannedFaults(() => String(server.store.revision), clock);
  const { faults: plan, ...given } = options;
  plan?.(faults);
  const faulty = new FaultyCluster({
    cluster: server.cluster(),
    faults,
    clock,
    network: clock,
    crash() {},
    carriedOut() {},
  });
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const log: LogLine[] = [];
  loop.start(stop.signal);
  const controller = runController(
    {
      ...given,
      operators,
      cluster: faulty,
      clock,
      random: () => 0.5,
      log: new LineLog(log, clock),
      telemetry: metrics,
    },
    stop.signal,
  );
  metrics.watch(() => controller.informers);
  await cluster.advance(0);
  return {
    controller,
    faults,
    metrics,
    loop,
    log,
    scrape: async () => parseExposition(await metrics.text()),
    probe: (path) => healthOf(path, { informers: () => controller.informers, loop }),
    stop: () => stop.abort(new Error('stopped')),
  };
}
