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
  colors: process.stderr.isTTY && !process.env['NO_COLOR'],
});
