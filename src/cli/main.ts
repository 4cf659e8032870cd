#!/usr/bin/env node
import { fstatSync, writeFileSync } from 'node:fs';
import { OperatorError } from '../kube/errors.js';
import { kilter } from './kilter.js';

const stop = new AbortController();

// A reader that has seen enough, such as head, is no failure, and neither is tee, which Ctrl-C ends before us: a command goes
// on to its end and its exit code, in order.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    if (stream === process.stdout) stop.abort(new Error('nobody reads on'));
  });
}
// As what nobody awaits in an author's module. Node would end it with 1, by which `kilter drift` says that there is some.
process.on('uncaughtException', (error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(2);
});

process.exitCode = await kilter(process.argv.slice(2), {
  write: isFile(process.stdout) ? writeToFile : (output) => void process.stdout.write(output),
  log: (line) => void process.stderr.write(line),
  read: async () => {
    let text = '';
    for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk;
    return text;
  },
  interrupted,
  colors: process.stderr.isTTY && !process.env['NO_COLOR'],
});
// Once all is written: what an author's module holds open, such as a timer or a connection, is nothing to wait for.
process.stdout.write('', () => process.stderr.write('', () => process.exit()));

/** What is no terminal, no pipe and no socket: a file, or a device such as /dev/null. */
function isFile({ fd, isTTY }: NodeJS.WriteStream & { readonly fd: 1 }): boolean {
  const there = fstatSync(fd);
  return !isTTY && (there.isFile() || there.isCharacterDevice());
}

/** Of a file that has no room for all of it Node's own stream takes the rest for written, as on a disk that is full. */
function writeToFile(output: string): void {
  try {
    writeFileSync(process.stdout.fd, output);
  } catch (cause) {
    throw new OperatorError('writing to standard output failed', { cause });
  }
}

/** The first signal asks to end; one that comes when that was asked a while ago ends at once. */
function interrupted(): AbortSignal {
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
