import { Gauge, Histogram, type Registry } from 'prom-client';
import type { LoopWatch } from '../../process/loop-watch.js';

/** Shows how late the event loop is. */
export function loopMetrics(registers: Registry[], watch: LoopWatch): void {
  const delays = new Histogram({
    name: 'kilter_event_loop_delay_seconds',
    help: 'How much later than asked for the event loop ran a timer, looked at once a second.',
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  watch.subscribe((milliseconds) => delays.observe(milliseconds / 1000));
  new Gauge({
    name: 'nodejs_eventloop_lag_seconds',
    help: 'How late the event loop was the last time.',
    registers,
    collect() {
      this.set(watch.delayMilliseconds / 1000);
    },
  });
}
