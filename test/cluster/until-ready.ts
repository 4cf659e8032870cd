import type { ChildProcess } from 'node:child_process';
import { request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GuardedFolder } from './guarded-folder.js';

/** Somebody else took a port between the moment it was found free and the moment it was used. Trying again helps. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
}

/**
 * Polls until `isReady`.
 *
 * **Errors.** Shows the end of the log of the process that ended, or of the last one when none came up in time.
 */
export async function untilReady(
  folder: GuardedFolder,
  processes: Readonly<Record<string, ChildProcess>>,
  isReady: () => Promise<boolean>,
  seconds = 90,
): Promise<void> {
  for (const start = Date.now(); Date.now() - start < seconds * 1000; await sleep(50)) {
    for (const [name, { exitCode, signalCode, pid }] of Object.entries(processes)) {
      if (pid !== undefined && exitCode === null && signalCode === null) continue;
      const log = folder.tailOf(name);
      const message = `${name} ended with ${signalCode ?? `code ${exitCode}`} while it started:\n${log}`;
      throw log.includes('address already in use') ? new PortTakenError(message) : new Error(message);
    }
    if (await isReady()) return;
  }
  const name = Object.keys(processes).at(-1) ?? 'nothing';
  throw new Error(`${name} was not ready after ${seconds} s:\n${folder.tailOf(name)}`);
}

/** The answer to a GET, or undefined while nobody answers. */
export function ask(url: string, ca: string, token: string): Promise<{ status: number; body: string } | undefined> {
  return new Promise((resolve) => {
    const options = { ca, headers: { authorization: `Bearer ${token}` }, agent: false, timeout: 2000 };
    const call = request(url, options, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body }));
      response.once('error', () => resolve(undefined));
    });
    call.once('error', () => resolve(undefined));
    call.once('timeout', () => call.destroy());
    call.end();
  });
}
