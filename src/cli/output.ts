import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OperatorError } from '../kube/errors.js';
import type { Terminal } from './terminal.js';

/** `text` into `file`, with its folder where that is missing; without a file to standard output. */
export async function emit(file: string | undefined, text: string, terminal: Terminal): Promise<void> {
  if (file === undefined) {
    terminal.write(text);
    return;
  }
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  } catch (cause) {
    throw new OperatorError(`writing ${file} failed`, { cause });
  }
  terminal.log(`wrote ${file}\n`);
}
