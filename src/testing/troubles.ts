import { type ControllerWrite, showCall } from './call.js';
import type { LastChanges } from './last-changes.js';
import type { TestController } from './test-controller.js';

const [fewWrites, fewErrors] = [5, 5];

/** What a person would want to know when something did not happen. */
export function troublesOf(
  written: readonly ControllerWrite[],
  changes: LastChanges,
  controllers: readonly TestController[],
): string {
  const writes = written.slice(-fewWrites).map((write) => `${write.at.toFixed(1)} s: ${write.by}: ${showCall(write)}`);
  const errors = controllers
    .flatMap(({ log }) => log.filter(({ level }) => level === 'error' || level === 'warn'))
    .slice(-fewErrors)
    .map(({ message, data }) => `${message}: ${String(data['error'] ?? '')}`);
  const planned = controllers.flatMap(({ faults }) => faults.pending);
  return [
    writes.length === 0 ? 'no controller wrote anything' : `last writes: ${writes.join('; ')}`,
    `last changes by anybody: ${changes.texts.join('; ')}`,
    ...(errors.length === 0 ? [] : [`last errors: ${errors.join('; ')}`]),
    ...(planned.length === 0 ? [] : [`faults that befell nobody: ${planned.join('; ')}`]),
  ].join('. ');
}
