import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchPlane, Track } from './bench-plane.js';
import { stamped, stampIn } from './exec-clock.js';
import { cpuMilliseconds, rssMebibytes } from './processes.js';

/** How many custom resources each contender works on at once. */
export const workers = 16;

/** How its process is started. */
export interface Launch {
  readonly command: readonly [string, ...string[]];
  /** What executes it when all is set up for it, and is no part of its time. */
  readonly around?: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Somebody who does the same work: kilter, a peer, or the bare loop. */
export interface Contender {
  readonly name: string;
  readonly version: string;
  readonly notes: string;
  readonly track: Track;
  readonly launch: (bench: BenchPlane) => Launch;
  /** A loop of writes that corrects nothing is raced only to create. */
  readonly createsOnly?: boolean;
}

/** A contender's process. */
export class Running {
  readonly #child: ChildProcess;
  /** Rejects when the process ends before it is stopped. */
  readonly failed: Promise<never>;
  #isStopping = false;

  constructor(
    { command, around = [], cwd, env }: Launch,
    private readonly log: string,
  ) {
    const [program, ...args] = [...around, ...stamped(this.#stamp, command)];
    // That of an earlier process of this name is not to be taken for this one's.
    rmSync(this.#stamp, { force: true });
    const output = openSync(log, 'a');
    this.#child = spawn(program!, args, {
      cwd,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], BENCH_WORKERS: String(workers), ...env },
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    this.failed = new Promise((_, reject) => {
      this.#child.once('error', reject);
      this.#child.once('exit', (code) => {
        if (!this.#isStopping) reject(new Error(`it ended with code ${code}`));
      });
    });
    this.failed.catch(() => {});
  }

  /** When the program itself began, by the clock of `performance.now()`. */
  get startedAt(): number {
    return stampIn(this.#stamp);
  }

  get cpu(): number {
    return cpuMilliseconds(this.#pid);
  }

  get rss(): number {
    return rssMebibytes(this.#pid);
  }

  get #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /**
   * Resolves, when the process has used no more than a sliver of CPU for a second, with the milliseconds from `since`
   * to the beginning of that second. Rejects at `end`, by the clock of `performance.now()`. On a busy machine a process
   * may be quiet because it has not had its turn yet: `hasBegun`, asked when it is quiet, says whether it has.
   */
  async untilQuiet(since: number, end: number, hasBegun = async () => true): Promise<number> {
    let quietSince = performance.now();
    let before = this.cpu;
    while (performance.now() < end) {
      await sleep(50);
      const now = this.cpu;
      if (now - before > 20) [before, quietSince] = [now, performance.now()];
      else if (performance.now() - quietSince > 1000) {
        if (await hasBegun()) return quietSince - since;
        quietSince = performance.now();
      }
      if (this.#hasEnded) return this.failed;
    }
    throw new Error('the time was up before it was quiet');
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#hasEnded) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    const late = setTimeout(() => this.#child.kill('SIGKILL'), 10_000);
    await gone;
    clearTimeout(late);
  }

  /** The end of what it said. */
  tail(): string {
    return readFileSync(this.log, 'utf8').trimEnd().split('\n').slice(-8).join('\n');
  }

  get #stamp(): string {
    return `${this.log}.started`;
  }

  get #pid(): number {
    if (this.#child.pid === undefined) throw new Error('it could not be started');
    return this.#child.pid;
  }
}
