import '../runtime/process/quick-compilers.js';
import '../runtime/process/thorough-collections.js';
import type { Operator } from '../compose/operator.js';
import { keepAlive, systemClock } from '../kube/clock.js';
import { tellStrays } from '../runtime/author/stray-owners.js';
import { forMany } from '../runtime/process/for-many.js';
import { optimizeLate } from '../runtime/process/optimize-late.js';
import { linesInTime } from '../runtime/telemetry/lines-in-time.js';
import { createLog, type Log } from '../runtime/telemetry/log.js';
import { type Flags, readFlags } from './flags.js';
import { graceMilliseconds, runUntilStopped, tellFailure } from './run-until-stopped.js';

/** After all has ended, for whatever is written to the log still. */
const lastMilliseconds = 500;

/**
 * The controller as a program: reads its flags, and runs `operators` until a signal, or until its Lease is lost. Resolves
 * with the exit code; half a second later the process ends with it, whatever holds it open. What an author's own entry calls:
 *
 *     process.exitCode = await runOperators([memcached]);
 */
export async function runOperators(
  operators: readonly Operator[],
  words: readonly string[] = process.argv.slice(2),
): Promise<number> {
  const read = readFlags(
    words,
    operators.map(({ name }) => name),
  );
  if (read.type === 'exit') {
    (read.code === 0 ? process.stdout : process.stderr).write(read.text);
    return read.code;
  }
  optimizeLate();
  return await main(operators, read.flags);
}

/** Runs until a signal, or until the Lease is lost. Resolves with the exit code. */
async function main(operators: readonly Operator[], flags: Flags): Promise<number> {
  const log: Log = createLog({
    level: flags.logLevel,
    format: flags.logFormat,
    write: linesInTime(process.stdout, (lines) => log.warn('Left out lines, since nobody read the log', { lines })),
  });
  const stop = new AbortController();
  forMany(stop.signal);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      log.info('Stopping', { signal });
      stop.abort(new Error(`stopped by ${signal}`));
    });
  }
  let isBroken = false;
  tellStrays((reason) => {
    isBroken = true;
    log.error('Failed to handle an error, and stops', { error: reason });
    stop.abort(reason);
    // Whatever waits in vain for what failed.
    systemClock.after(2 * graceMilliseconds, () => process.exit(1));
  });
  // Of what goes wrong now nobody would hear, and to say so would fail as well, again and again.
  process.stdout.on('error', (error) => {
    if (!isBroken) lastWords(flags).error('Failed to write the log, and stops', { error: error.message });
    isBroken = true;
    stop.abort(error);
  });
  // While no connection is open, as when the API server is away, everybody waits for time.
  const letGo = keepAlive();
  const ended = await runUntilStopped(chosen(operators, flags), flags, log, stop).catch((error: unknown) => {
    tellFailure(log, error);
    stop.abort(error);
    return 1;
  });
  const exitCode = isBroken ? 1 : ended;
  letGo();
  // What an author's code holds open must keep nobody who waits for this process, nor go on without a Lease.
  systemClock.after(lastMilliseconds, () => process.exit(exitCode));
  return exitCode;
}

/** Where the log cannot be written, as on a disk that is full. */
function lastWords({ logLevel: level, logFormat: format }: Flags): Log {
  process.stderr.on('error', () => {});
  return createLog({ level, format, write: (line) => process.stderr.write(line) });
}

function chosen(operators: readonly Operator[], { operators: names }: Flags): readonly Operator[] {
  return names === undefined ? operators : operators.filter(({ name }) => names.includes(name));
}
