import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { bundledProgram } from '../bundled-program.js';

const run = promisify(execFile);
/** A network that a test may take down is only to be had where users may make namespaces. */
const canMakeNetworks = spawnSync('unshare', ['-rn', 'ip', 'link', 'set', 'lo', 'up']).status === 0;

(canMakeNetworks ? describe : describe.skip)('a connection on which packets vanish', () => {
  it('C-08, fault 10: is noticed by keep-alive probes, though no time goes by for who would miss a bookmark', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kilter-half-open-'));
    try {
      const program = await bundledProgram('test/compared-informers/half-open-program.ts', folder);
      const { stdout } = await run('unshare', ['-rn', process.execPath, program], { timeout: 80_000 });
      const { error, untilFirst, untilNext, sent } = JSON.parse(stdout);
      expect(error).toMatch(/ETIMEDOUT/);
      // Five seconds of silence, then ten probes a second apart, as the kernel counts them: sixteen seconds, however busy it is.
      expect([untilFirst, untilNext, sent].filter((each) => each > 0)).toHaveLength(3);
      expect(untilFirst).toBeLessThanOrEqual(500);
      expect(untilNext).toBeLessThanOrEqual(100);
      expect(sent).toBeLessThanOrEqual(10);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
