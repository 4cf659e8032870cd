import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Ends a run with one line, `N passed, N failed, N skipped`. Where the environment names a file in TEST_TOTALS the line
 * goes there instead, for a caller that has more to say before it.
 *
 * A suite that could not even be loaded counts as one failure: nobody knows how many tests it holds. So does a run that
 * was stopped.
 */
// biome-ignore lint/style/noDefaultExport: jest asks for one.
export default class TotalsReporter {
  onRunComplete(_, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites + (results.wasInterrupted ? 1 : 0);
    const skipped = results.numPendingTests + results.numTodoTests;
    const line = `${results.numPassedTests} passed, ${failed} failed, ${skipped} skipped\n`;
    const file = process.env.TEST_TOTALS;
    if (file) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, line);
    } else {
      // Jest's own summary comes after all other reporters; the line is wanted after that.
      process.once('exit', () => process.stderr.write(`\n${line}`));
    }
  }
}
