import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A temporary folder, and processes that live in it, none of which outlives this process, however it ends.
 *
 * A shell of its own session reads from a pipe whose other end only this process holds. When that closes, by `clear` or
 * because this process was killed, the shell kills every process of which a pid lies in the folder, and removes it.
 */
export class GuardedFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'kilter-cluster-'));
  readonly #guard: ChildProcess;

  constructor() {
    const script =
      'cat >/dev/null; for f in "$1"/*.pid; do kill -9 "$(cat "$f")"; done 2>/dev/null; sleep 0.1; rm -rf "$1"';
    this.#guard = spawn('sh', ['-c', script, 'guard', this.path], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    this.#guard.unref();
    // Without this the open pipe would keep an idle process alive.
    (this.#guard.stdin as unknown as { unref(): void }).unref();
  }

  file(name: string): string {
    return join(this.path, name);
  }

  write(name: string, content: string): string {
    writeFileSync(this.file(name), content, { mode: 0o600 });
    return this.file(name);
  }

  /** Starts a program with its output in `<name>.log`. */
  start(name: string, program: string, args: readonly string[]): ChildProcess {
    const log = openSync(this.file(`${name}.log`), 'a');
    const child = spawn(program, args, { stdio: ['ignore', log, log], cwd: this.path });
    closeSync(log);
    child.once('error', () => {});
    if (child.pid !== undefined) this.write(`${name}.pid`, String(child.pid));
    child.unref();
    return child;
  }

  /** The end of what a program said, for an error that has to show it. */
  tailOf(name: string): string {
    const log = this.file(`${name}.log`);
    return existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n').slice(-15).join('\n') : '';
  }

  /** Kills what still runs, and removes the folder. */
  async clear(): Promise<void> {
    const { exitCode, signalCode } = this.#guard;
    if (exitCode !== null || signalCode !== null) return;
    const end = once(this.#guard, 'exit');
    this.#guard.ref();
    this.#guard.stdin?.end();
    await end;
  }
}

/** Asks a process to end, and kills it when it has not after `graceSeconds`. Resolves when it is gone. */
export async function end(child: ChildProcess | undefined, graceSeconds = 5): Promise<void> {
  if (!child || child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), graceSeconds * 1000);
  await gone;
  clearTimeout(timer);
}
