#!/usr/bin/env node
import { kilter } from './kilter.js';

// A reader that has seen enough, such as head, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

process.exitCode = await kilter(process.argv.slice(2), {
  write: (output) => void process.stdout.write(output),
  log: (line) => void process.stderr.write(line),
  read: async () => {
    let text = '';
    for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk;
    return text;
  },
  interrupted,
  colors: process.stderr.isTTY && !process.env['NO_COLOR'],
});

/** The first signal asks to end; one that comes when that was asked a while ago ends at once. */
function interrupted(): AbortSignal {
  const stop = new AbortController();
  let askedAt = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // npm hands on what the terminal has told everybody already.
      if (stop.signal.aborted && performance.now() - askedAt > 1000) process.exit(130);
      if (stop.signal.aborted) return;
      askedAt = performance.now();
      stop.abort(new Error(`stopped by ${signal}`));
    });
  }
  return stop.signal;
}
