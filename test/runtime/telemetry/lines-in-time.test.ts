import { Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { linesInTime } from '../../../src/runtime/telemetry/lines-in-time.js';
import { createLog, type Log } from '../../../src/runtime/telemetry/log.js';

/** A pipe, of which somebody reads only what `read` takes; and a log that is written to it. */
function unread() {
  const taken: string[] = [];
  const waiting: (() => void)[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write: (line: string, _, done) => {
      waiting.push(() => {
        taken.push(line);
        done();
      });
    },
  });
  const read = async (most = Number.POSITIVE_INFINITY) => {
    for (let count = 0; count < most && waiting.length > 0; count++) {
      waiting.shift()?.();
      await new Promise(setImmediate);
    }
  };
  const log: Log = createLog({
    level: 'info',
    format: 'json',
    write: linesInTime(stream, (lines) => log.warn('Left out lines, since nobody read the log', { lines })),
  });
  const said = () => taken.map((line) => JSON.parse(line) as { msg: string; note?: string; lines?: number });
  return { stream, log, read, said };
}

const long = 'x'.repeat(100_000);

describe('a log that nobody reads', () => {
  it('takes no more memory, and tells how many lines are missing as soon as somebody reads again', async () => {
    const { stream, log, read, said } = unread();
    for (let line = 0; line < 1000; line++) log.info('Reconciled', { note: `${line} ${long}` });
    expect(stream.writableLength).toBeLessThan(10 * 2 ** 20);

    await read();
    log.info('Reconciled', { note: 'after it' });
    await read();

    const lines = said();
    const [gap, after] = lines.slice(-2);
    expect(gap).toMatchObject({ level: 'warn', msg: 'Left out lines, since nobody read the log' });
    expect(after).toMatchObject({ note: 'after it' });
    const kept = lines.slice(0, -2).map(({ note }) => Number.parseInt(note ?? '', 10));
    expect(kept.length).toBeGreaterThan(50);
    expect(kept).toEqual(kept.map((_, index) => index));
    expect(gap?.lines).toBe(1000 - kept.length);
  });

  it('has one gap while its reader is slow', async () => {
    const { log, read, said } = unread();
    for (let line = 0; line < 200; line++) log.info('Reconciled', { note: `${line} ${long}` });
    await read(10);
    log.info('Reconciled', { note: 'too early' });
    await read();
    expect(said().filter(({ msg }) => msg.startsWith('Left out'))).toHaveLength(1);
    expect(said().filter(({ note }) => note === 'too early')).toEqual([]);
  });

  it('keeps all that is said while somebody reads', async () => {
    const { log, read, said } = unread();
    for (let line = 0; line < 300; line++) {
      log.info('Reconciled', { note: long });
      await read();
    }
    expect(said()).toHaveLength(300);
  });
});
