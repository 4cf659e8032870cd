import { Counter, Histogram, type Registry } from 'prom-client';
import type { Observe } from '../../../client/transport.js';
import type { Clock } from '../../../kube/clock.js';

/** As client-go has them. */
const buckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
/** How client-go labels what was never answered. */
const unanswered = '<error>';

/** Counts requests to the API server, each try by itself; of a watch until its answer begins. */
export function clientMetrics(registers: Registry[], clock: Clock, host: string): Observe {
  const requests = new Counter({
    name: 'rest_client_requests_total',
    help: 'Requests to the API server, by method and the code of the answer.',
    labelNames: ['code', 'method', 'host'],
    registers,
  });
  const duration = new Histogram({
    name: 'rest_client_request_duration_seconds',
    help: 'How long the API server took to begin its answer.',
    labelNames: ['verb', 'host'],
    buckets,
    registers,
  });
  const methods = new Map<string, Method>();
  return (name) => {
    let method = methods.get(name);
    if (!method) {
      method = { duration: duration.labels(name, host), codes: new Map() };
      methods.set(name, method);
    }
    const { duration: seconds, codes } = method;
    const sentAt = clock.monotonic();
    return (code) => {
      seconds.observe((clock.monotonic() - sentAt) / 1000);
      let counter = codes.get(code);
      if (!counter) {
        counter = requests.labels(code === undefined ? unanswered : String(code), name, host);
        codes.set(code, counter);
      }
      counter.inc();
    };
  };
}

/** The series of one method, bound to their labels once. */
interface Method {
  readonly duration: Histogram.Internal<'verb' | 'host'>;
  readonly codes: Map<number | undefined, Counter.Internal>;
}
