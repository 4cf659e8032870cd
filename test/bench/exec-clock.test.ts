import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { millisecondsOf, stamped, stampIn } from './exec-clock.js';

const folder = mkdtempSync(join(tmpdir(), 'kilter-exec-clock-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the start of a program', () => {
  it('is when it is executed, and not when what is around it is', () => {
    const file = join(folder, 'stamp');
    const sandbox = ['-c', 'sleep 0.2; exec "$@"', 'sandbox'];
    const began = performance.now();
    const said = execFileSync('sh', [...sandbox, ...stamped(file, ['printf', '%s', 'as it is'])], { encoding: 'utf8' });
    expect(said).toBe('as it is');
    // Of two clocks, one of which tells whole milliseconds.
    expect(stampIn(file)).toBeGreaterThan(began + 195);
    expect(stampIn(file)).toBeLessThan(performance.now() + 2);
  });

  it.each(['1700000000.123456', '1700000000,123456'])('is read of %s', (stamp) => {
    expect(millisecondsOf(stamp)).toBeCloseTo(1_700_000_000_123.456, 2);
  });

  it('is not guessed where the shell does not tell it', () => {
    expect(() => millisecondsOf('')).toThrow('is there a bash 5?');
  });
});
