import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Waits until its input ends, then kills every process of which a pid file lies in the folder, and removes the folder.
 * The folder is moved between two rounds of killing, so that a program that was just being started is either seen by
 * the second round or finds no folder to write its pid file into, and does not start.
 */
const guard = `
  cat >/dev/null
  slay() { for f in "$1"/*.pid; do [ -f "$f" ] && kill -9 "$(cat "$f")"; done; }
  slay "$1"; mv "$1" "$1.gone"; slay "$1.gone"
  for try in 1 2 3 4 5 6 7 8 9 10; do rm -rf "$1.gone" && exit; sleep 0.1; done`;

/** Becomes the program, after it wrote its own pid: a pid file can so not come too late. */
const starter = 'printf %s $$ >"$1" && shift && exec "$@"';

/**
 * A temporary folder, and processes that live in it, none of which outlives this process, however it ends.
 *
 * A shell of its own session, the guard, reads from a pipe whose other end only this process holds. When that closes,
 * by `clear` or because this process was killed, the guard takes the processes and the folder away. The processes have
 * sessions of their own too: Ctrl-C in a terminal reaches this process alone, which may then end them in order.
 */
export class GuardedFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'kilter-cluster-'));
  readonly #guard: ChildProcess;

  constructor() {
    this.#guard = spawn('sh', ['-c', guard, 'guard', this.path], {
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

  /** What a program gets to see of the environment, so that nobody's settings for etcd or kubectl change a test. */
  get environment(): NodeJS.ProcessEnv {
    return { PATH: process.env['PATH'], HOME: this.path, TMPDIR: this.path };
  }

  /** Starts a program with its output in `<name>.log`. */
  start(name: string, program: string, args: readonly string[]): ChildProcess {
    const log = openSync(this.file(`${name}.log`), 'a');
    const pidFile = this.file(`${name}.pid`);
    const child = spawn('sh', ['-c', starter, 'starter', pidFile, program, ...args], {
      stdio: ['ignore', log, log],
      cwd: this.path,
      env: this.environment,
      detached: true,
    });
    closeSync(log);
    child.once('error', () => {});
    // A pid may be given to somebody else as soon as its process is gone.
    child.once('exit', () => rmSync(pidFile, { force: true }));
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
    if (exitCode === null && signalCode === null) {
      const gone = once(this.#guard, 'exit');
      this.#guard.ref();
      this.#guard.stdin?.end();
      await gone;
    }
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Asks a process to end, and kills it when it has not after `graceSeconds`. Resolves when it is gone. */
export async function end(child: ChildProcess | undefined, graceSeconds = 2): Promise<void> {
  if (!child || child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), graceSeconds * 1000);
  await gone;
  clearTimeout(timer);
}
