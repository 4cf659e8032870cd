import { findBinaries, NoBinariesError } from './binaries.js';

/** Finds or builds the control plane once, before any suite, so that no test waits for a compiler. */
export async function setup(): Promise<void> {
  try {
    process.env['KUBEBUILDER_ASSETS'] = await findBinaries((line) => process.stderr.write(`${line}\n`));
  } catch (error) {
    if (!(error instanceof NoBinariesError) || process.env['CI']) throw error;
    process.env['KILTER_NO_CLUSTER'] = '1';
    process.stderr.write(`Suites on a real API server are skipped: ${error.message}\n`);
  }
}
