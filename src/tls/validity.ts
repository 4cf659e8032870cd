const dayMilliseconds = 24 * 60 * 60 * 1000;

/** How long a certificate is good that a controller makes for itself. */
export const usualMilliseconds = 365 * dayMilliseconds;
/** Such a one is replaced while it is still good for so long. */
export const spareMilliseconds = 30 * dayMilliseconds;

/** When a certificate that is made `now`, in milliseconds since the epoch, and is good for `milliseconds` is taken. */
export function validity(now: number, milliseconds: number): { readonly from: number; readonly to: number } {
  // The clock here may be ahead of those of clients: by hours where it holds the local time for that of UTC.
  return { from: now - dayMilliseconds, to: now + milliseconds };
}
