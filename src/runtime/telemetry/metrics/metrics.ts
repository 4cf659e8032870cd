import { Counter, Gauge, Registry } from 'prom-client';
import type { Observe } from '../../../client/transport.js';
import type { Clock } from '../../../kube/clock.js';
import { version } from '../../../kube/version.js';
import type { Informer } from '../../informer/informer.js';
import type { LoopWatch } from '../../process/loop-watch.js';
import type { Telemetry } from '../telemetry.js';
import { clientMetrics } from './client-metrics.js';
import { controllerMetrics } from './controller-metrics.js';
import { informerMetrics } from './informer-metrics.js';
import { loopMetrics } from './loop-metrics.js';
import { processMetrics } from './process-metrics.js';
import { webhookMetrics } from './webhook-metrics.js';

export interface MetricsOptions {
  readonly clock: Clock;
  /** `host:port` of the API server, as the requests to it are labelled. */
  readonly apiServer: string;
}

/**
 * What the runtime tells, as Prometheus scrapes it.
 *
 * Names and labels are those of controller-runtime and client-go where these have one, so that dashboards and alerts that
 * exist work; ours begin with `kilter_`. https://book.kubebuilder.io/reference/metrics-reference
 *
 * **Guarantees.** The number of series is bounded by operators, kinds and reasons: no label holds the name of an object or
 * anything of its content. What only has to be known when somebody looks is counted when somebody looks.
 */
export class Metrics implements Telemetry {
  readonly registry = new Registry();
  readonly controller: Telemetry['controller'];
  readonly kind: Telemetry['kind'];
  readonly webhook: Telemetry['webhook'];
  /** For the client: counts its requests. */
  readonly observe: Observe;
  /** Watches the informers that are named here when somebody looks. */
  readonly watch: (informers: () => readonly Informer[]) => void;
  /** For the certificate that metrics are served with. */
  readonly certificates: { read(): void; failed(): void };

  constructor({ clock, apiServer }: MetricsOptions) {
    const registers = [this.registry];
    this.controller = controllerMetrics(registers, clock);
    this.webhook = webhookMetrics(registers, clock);
    this.observe = clientMetrics(registers, clock, apiServer);
    ({ kind: this.kind, watch: this.watch } = informerMetrics(registers));
    this.certificates = certificateMetrics(registers);
    processMetrics(registers, clock);
    new Gauge({
      name: 'kilter_build_info',
      help: 'One, and in its labels what runs.',
      labelNames: ['version', 'node'],
      registers,
    }).set({ version, node: process.version }, 1);
  }

  /** Shows whether this process holds the Lease `name`. */
  leadership(name: string, leads: () => boolean): void {
    new Gauge({
      name: 'leader_election_master_status',
      help: 'One while this process leads, and zero while it stands by.',
      labelNames: ['name'],
      registers: [this.registry],
      collect() {
        this.set({ name }, leads() ? 1 : 0);
      },
    });
  }

  /** Shows how late the event loop is. */
  loop(watch: LoopWatch): void {
    loopMetrics([this.registry], watch);
  }

  /** All of it, in the text format: https://prometheus.io/docs/instrumenting/exposition_formats/ */
  text(): Promise<string> {
    return this.registry.metrics();
  }

  get contentType(): string {
    return this.registry.contentType;
  }
}

function certificateMetrics(registers: Registry[]) {
  const reads = new Counter({
    name: 'certwatcher_read_certificate_total',
    help: 'Certificates that metrics came to be served with.',
    registers,
  });
  const errors = new Counter({
    name: 'certwatcher_read_certificate_errors_total',
    help: 'Certificates that could not be used, so that the one before is served on.',
    registers,
  });
  return { read: () => reads.inc(), failed: () => errors.inc() };
}
