import type { Cluster } from '../../src/client/cluster.js';
import type { Operator } from '../../src/compose/operator.js';
import type { Clock } from '../../src/kube/clock.js';
import { forMany } from '../../src/runtime/process/for-many.js';
import { type ControllerOptions, runController } from '../../src/runtime/run-controller.js';
import { createLog } from '../../src/runtime/telemetry/log.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';

/** A line of the log as it is written. */
export interface Line {
  readonly level: string;
  readonly msg: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly error?: unknown;
  readonly reasons?: readonly string[];
}

/** A cluster, and a controller whose calls a test may answer in the server's place. */
export interface Run {
  readonly cluster: TestCluster;
  readonly lines: readonly Line[];
  stop(): Promise<void>;
}

/** Runs `operators` on a cluster of their own, of which `instead` replaces calls. */
export async function runOn(
  operators: readonly Operator[],
  instead: (server: Cluster, clock: Clock) => Partial<Cluster> = () => ({}),
  options: Partial<ControllerOptions> = {},
): Promise<Run> {
  const cluster = await startCluster();
  for (const { resource } of operators) await cluster.install(resource.crd());
  const { clock, server } = cluster;
  const lines: Line[] = [];
  const log = createLog({ level: 'debug', format: 'json', write: (line) => lines.push(JSON.parse(line) as Line) });
  const abort = new AbortController();
  const real = server.cluster();
  const replaced = instead(real, clock);
  const between = new Proxy(real, {
    get: (target, name: keyof Cluster) => replaced[name] ?? target[name].bind(target),
  });
  runController({ operators, cluster: between, clock, random: () => 0.5, log, ...options }, forMany(abort.signal));
  await cluster.advance(1);
  return {
    cluster,
    lines,
    async stop() {
      abort.abort(new Error('stopped'));
      await cluster.stop();
    },
  };
}
