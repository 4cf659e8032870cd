import { getHeapStatistics } from 'node:v8';

/** Bytes of the heap at which V8 ends the process: by `--max-old-space-size`, or by what the machine has. */
export function heapLimit(): number {
  return getHeapStatistics().heap_size_limit;
}
