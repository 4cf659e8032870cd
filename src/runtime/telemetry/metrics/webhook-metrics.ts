import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Clock } from '../../../kube/clock.js';
import type { Telemetry } from '../telemetry.js';

/** As controller-runtime has them. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** There from the start, at zero. */
const usualCodes = [200, 500];

/** Counts reviews. `webhook` is the path at which the API server finds it, as in controller-runtime. */
export function webhookMetrics(registers: Registry[], clock: Clock): Telemetry['webhook'] {
  const labelNames = ['webhook'] as const;
  const total = new Counter({
    name: 'controller_runtime_webhook_requests_total',
    help: 'Reviews that the API server asked for, by the code of the answer.',
    labelNames: ['webhook', 'code'],
    registers,
  });
  const latency = new Histogram({
    name: 'controller_runtime_webhook_latency_seconds',
    help: 'How long reviews took.',
    labelNames,
    buckets,
    registers,
  });
  const active = new Gauge({
    name: 'controller_runtime_webhook_requests_in_flight',
    help: 'How many reviews run.',
    labelNames,
    registers,
  });
  const panics = new Counter({
    name: 'controller_runtime_webhook_panics_total',
    help: 'Reviews that ended by an error that nobody foresaw.',
    registers,
  });

  return (webhook) => {
    for (const code of usualCodes) total.inc({ webhook, code }, 0);
    latency.zero({ webhook });
    active.set({ webhook }, 0);
    return {
      reviewing() {
        const startedAt = clock.monotonic();
        active.inc({ webhook });
        return {
          ended(code, isThrown) {
            active.dec({ webhook });
            latency.observe({ webhook }, (clock.monotonic() - startedAt) / 1000);
            total.inc({ webhook, code });
            if (isThrown) panics.inc();
          },
        };
      },
    };
  };
}
