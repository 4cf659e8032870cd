import { readdirSync, readFileSync } from 'node:fs';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Clock } from '../../../kube/clock.js';

/**
 * What Prometheus' clients of any language say of their process, looked up when somebody asks.
 *
 * Not those of prom-client: they measure the event loop a hundred times a second, which alone would cost more than a
 * controller at rest may.
 */
export function processMetrics(registers: Registry[], clock: Clock): void {
  const startedAt = clock.now() / 1000 - process.uptime();
  let counted = 0;
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time that the process used.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      const seconds = (user + system) / 1e6;
      this.inc(Math.max(0, seconds - counted));
      counted = seconds;
    },
  });
  const gauge = (name: string, help: string, value: () => number | undefined): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const now = value();
        if (now !== undefined) this.set(now);
      },
    });
  };
  gauge('process_start_time_seconds', 'When the process started, in seconds since the epoch.', () => startedAt);
  gauge('process_resident_memory_bytes', 'Memory that the process holds.', () => process.memoryUsage.rss());
  gauge('process_open_fds', 'Files and sockets that are open; zero where nobody says.', openFiles);
  gauge('process_max_fds', 'How many files and sockets may be open; zero where nobody says.', mostOpenFiles);
  gauge('nodejs_heap_size_total_bytes', 'Heap that was taken from the system.', () => process.memoryUsage().heapTotal);
  gauge('nodejs_heap_size_used_bytes', 'Heap in use.', () => process.memoryUsage().heapUsed);
  gauge('nodejs_external_memory_bytes', 'Memory of buffers outside the heap.', () => process.memoryUsage().external);
}

function openFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    // Not on this system.
    return undefined;
  }
}

/** Without a limit a number that none comes near. */
function mostOpenFiles(): number | undefined {
  try {
    const limit = /^Max open files +(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    if (limit === undefined) return undefined;
    return limit === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(limit);
  } catch {
    // Not on this system.
    return undefined;
  }
}
