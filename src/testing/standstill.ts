import { OperatorError } from '../kube/errors.js';
import { type Call, showCall } from './call.js';

const most = 1000;

/** Counts what is written again and again while time stands still, which of itself would never end. */
export class Standstill {
  #moment = 0;
  readonly #times = new Map<string, number>();

  /** Forgets what was: whoever asks for more may get as much again. */
  begin(): void {
    this.#times.clear();
  }

  /** What the controller `identity` writes at a moment; what is to be said of it once that is without end. */
  saw(write: Call, moment: number, identity: string): OperatorError | undefined {
    if (moment !== this.#moment) this.begin();
    this.#moment = moment;
    const call = showCall(write);
    const times = (this.#times.get(call) ?? 0) + 1;
    this.#times.set(call, times);
    if (times <= most) return undefined;
    return new OperatorError(`${identity} would never end: ${call} came ${times} times while time stood still`, {
      hint: 'what it composes is another each time, and it reads that itself: what is made once has to be read back',
    });
  }
}
