import { eventually } from '../cluster/eventually.js';

/** Asks until `isSo`: what a server does by what its own watches tell it comes a moment after the write. */
export async function untilSeen(isSo: () => Promise<boolean>): Promise<void> {
  await eventually(async () => {
    if (!(await isSo())) throw new Error('the real server did not come to see what was done');
  });
}
