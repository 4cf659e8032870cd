/** How long somebody has it their way who changes back what we write, again and again. Times are in milliseconds. */
export interface Damping {
  /** So many rounds are a fight. */
  readonly roundsOfFight: number;
  readonly firstDelay: number;
  readonly longestDelay: number;
  /** Who comes back later than this, or than twice our delay, is not answering to us. */
  readonly patience: number;
}

/** How long it is left as the rival wrote it: twice as long after each round of a fight. */
export function delayAfter(rounds: number, { roundsOfFight, firstDelay, longestDelay }: Damping): number {
  if (rounds < roundsOfFight) return 0;
  return Math.min(longestDelay, firstDelay * 2 ** Math.min(rounds - roundsOfFight, 20));
}

/** How long the rival has to stay away for it to be over. */
export function truceAfter(rounds: number, damping: Damping): number {
  return Math.max(damping.patience, 2 * delayAfter(rounds, damping));
}
