import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { expect } from '@jest/globals';
import { eventually } from './cluster/eventually.js';

export interface ProgramOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A program under test, as a person starts it in a terminal: in a process group of its own, with its output kept. */
export class RunningProgram {
  output = '';
  readonly exited: Promise<number>;
  readonly #child: ChildProcess;

  constructor(command: string, args: readonly string[], { cwd, env = {} }: ProgramOptions) {
    // Nothing of the test's own settings reaches it.
    const { NODE_OPTIONS: _, KUBECONFIG: __, ...environment } = process.env;
    this.#child = spawn(command, args, {
      cwd,
      env: { ...environment, NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text;
      });
    }
    this.exited = new Promise((resolve, reject) => {
      this.#child.once('error', reject);
      this.#child.once('close', (code) => resolve(code ?? -1));
    });
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  /** Waits until `text` stands in what came after `from` characters of output, and returns how many there are then. */
  async shows(text: string | RegExp, from = 0, seconds = 30): Promise<number> {
    await eventually(() => expect(this.output.slice(from)).toEqual(expect.stringMatching(toPattern(text))), seconds);
    return this.output.length;
  }

  /** The processes that it has started, and those that these have. */
  descendants(): readonly number[] {
    const lines = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
    const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
    const below = (parent: number): number[] =>
      pairs.filter(([, ppid]) => ppid === parent).flatMap(([pid]) => [pid, ...below(pid)]);
    return below(this.pid);
  }

  /** Ctrl-C: the terminal tells the whole process group. Resolves with the exit code. */
  interrupt(): Promise<number> {
    this.signal('SIGINT', -this.pid);
    return this.exited;
  }

  /** Ends this process alone, at once. */
  kill(): Promise<number> {
    this.signal('SIGKILL', this.pid);
    return this.exited;
  }

  signal(signal: NodeJS.Signals, to: number): void {
    try {
      process.kill(to, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function toPattern(text: string | RegExp): RegExp {
  return typeof text === 'string' ? new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')) : text;
}
