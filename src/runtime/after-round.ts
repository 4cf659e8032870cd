import type { Outcome } from './outcome.js';
import type { Work, WorkQueue } from './queue/work-queue.js';
import type { Echoes } from './writes/echoes.js';

/** What is to happen to a key after a round. One that came to nothing hands on what was asked of it. */
export function afterRound(
  work: Work,
  outcome: Outcome,
  { queue, echoes }: { readonly queue: WorkQueue; readonly echoes: Echoes },
): void {
  const { key } = work;
  if (outcome.type === 'gone') {
    queue.drop(key);
    return;
  }
  if (outcome.type === 'behind') {
    echoes.awaits(key);
    queue.add(key, outcome.because, { afterMilliseconds: outcome.againAfterMilliseconds, unfinished: work });
    return;
  }
  if (outcome.type === 'wait') queue.hold(key, outcome.because, outcome.milliseconds, work);
  else if (outcome.type !== 'retry') queue.ended(key, { isWell: outcome.failure === undefined });
  else if (outcome.failure === undefined) queue.lookAgain(key, outcome.because, work);
  else queue.retry(key, outcome.because, work, outcome);
  const afterMilliseconds = outcome.type === 'wait' ? undefined : outcome.againAfterMilliseconds;
  // Of a retry what was asked waits already, and comes with whatever is first.
  if (afterMilliseconds !== undefined) queue.add(key, outcome.because ?? 'requeued', { afterMilliseconds });
  if (afterMilliseconds !== undefined || outcome.type !== 'done') echoes.asked(key);
}
