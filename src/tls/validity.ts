const dayMilliseconds = 24 * 60 * 60 * 1000;

/** How long a certificate is good that a controller makes for itself. */
export const usualMilliseconds = 365 * dayMilliseconds;
/** Such a one is replaced while it is still good for so long. */
export const spareMilliseconds = 30 * dayMilliseconds;

/** When a certificate that is made `now`, in milliseconds since the epoch, and is good for `milliseconds` is taken. */
export function validity(now: number, milliseconds: number): { readonly from: number; readonly to: number } {
  // Clocks of clients may be behind.
  return { from: now - 60 * 60 * 1000, to: now + milliseconds };
}
