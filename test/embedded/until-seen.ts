/** Asks until `isSo`: what a server does by what its own watches tell it comes a moment after the write. */
export async function untilSeen(isSo: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; !(await isSo()); attempt++) {
    if (attempt === 1000) throw new Error('the real server did not come to see what was done');
  }
}
