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

  /** What a controller writes at a moment; how often that was, once it is without end. */
  saw(write: Call, moment: number): number | undefined {
    if (moment !== this.#moment) this.begin();
    this.#moment = moment;
    const call = showCall(write);
    const times = (this.#times.get(call) ?? 0) + 1;
    this.#times.set(call, times);
    return times > most ? times : undefined;
  }
}
