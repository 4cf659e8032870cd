import { readdirSync, readFileSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Clock } from '../../../kube/clock.js';

/**
 * What Prometheus' clients of any language say of their process, looked up when somebody asks: also while it can open no file any more,
 * which is when somebody asks.
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
  gauge('process_resident_memory_bytes', 'Memory that the process holds.', residentBytes);
  let most = mostOpenFiles();
  gauge('process_open_fds', 'Files and sockets that are open; zero where nobody says.', () => openFiles(most));
  gauge('process_max_fds', 'How many files and sockets may be open; zero where nobody says.', () => {
    most = mostOpenFiles() ?? most;
    return most;
  });
  const heap = (name: string, help: string, of: 'total_heap_size' | 'used_heap_size' | 'external_memory'): void =>
    gauge(name, help, () => getHeapStatistics()[of]);
  heap('nodejs_heap_size_total_bytes', 'Heap that was taken from the system.', 'total_heap_size');
  heap('nodejs_heap_size_used_bytes', 'Heap in use.', 'used_heap_size');
  heap('nodejs_external_memory_bytes', 'Memory of buffers outside the heap.', 'external_memory');
}

/** Undefined, so that what was seen last stands, where no file can be opened to look it up. */
function residentBytes(): number | undefined {
  try {
    return process.memoryUsage.rss();
  } catch {
    return undefined;
  }
}

/** Of `most` that may be: to count them takes one more. */
function openFiles(most: number | undefined): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch (error) {
    // Or not on this system.
    return (error as NodeJS.ErrnoException).code === 'EMFILE' ? most : undefined;
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
