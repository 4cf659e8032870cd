/** How many signals of `AbortSignal.any` a signal knows of, which Node keeps in sets of its own. */
export function dependantsOf(signal: AbortSignal): number {
  const parts = Object.getOwnPropertySymbols(signal).map((symbol) => (signal as never)[symbol] as unknown);
  // Of another realm than that of a test, so that `instanceof` knows none.
  const sets = parts.filter((part) => Object.prototype.toString.call(part) === '[object Set]') as Set<unknown>[];
  return sets.reduce((count, { size }) => count + size, 0);
}
