import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../kube/clock.js';
import { OperatorError } from '../../kube/errors.js';
import type { Connection, FromController, Install, ToController } from './messages.js';

export interface ProcessOptions {
  /** A module that was compiled of the author's. */
  readonly bundle: string;
  /** What the author calls it. */
  readonly entry: string;
  readonly clock: Clock;
  /** Takes the lines that it writes, to either stream. */
  readonly line: (line: string) => void;
}

/** What the author's module has to have in the cluster. */
export interface Loaded {
  readonly operators: readonly string[];
  readonly install: Install;
}

const loadSeconds = 30;
const stopSeconds = 8;

/**
 * A controller in a process of its own, with the author's code in it. First it loads, and changes nothing; then it runs.
 * The process ends with this one.
 */
export class ControllerProcess {
  /** Resolves when the process is gone, with what it ended by. */
  readonly ended: Promise<string>;
  /** Rejects with what is wrong with the author's module, as `OperatorError`. */
  readonly loaded: Promise<Loaded>;
  /** Resolves when the controller reconciles; never, when it ends before. */
  readonly running: Promise<void>;
  readonly #child: ChildProcess;
  #isStopping = false;
  #isTold = false;

  constructor(private readonly options: ProcessOptions) {
    const { bundle, entry, line } = options;
    const program = fileURLToPath(new URL('./entry-process.js', import.meta.url));
    this.#child = spawn(process.execPath, ['--enable-source-maps', program, bundle, entry], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', line);
    }
    this.ended = new Promise((resolve) => {
      this.#child.once('error', (error) => resolve(error.message));
      this.#child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
    });
    this.loaded = this.#load();
    this.loaded.catch(() => {});
    this.running = new Promise((resolve) => {
      this.#child.on('message', (message: FromController) => {
        if (message.type === 'running') resolve();
      });
    });
  }

  /** True once `stop` was called: its end is no accident. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  run(connection: Connection): void {
    this.#isTold = true;
    this.#send({ type: 'run', connection });
  }

  /** Lets writes under way end, of which one that was not told to run has none. Resolves when it is gone. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#isTold) this.#send({ type: 'stop' });
    else this.#child.kill('SIGKILL');
    const cancel = this.options.clock.after(stopSeconds * 1000, () => this.#child.kill('SIGKILL'));
    await this.ended;
    cancel();
  }

  #load(): Promise<Loaded> {
    const { entry, clock } = this.options;
    return new Promise((resolve, reject) => {
      const cancel = clock.after(loadSeconds * 1000, () => {
        this.#child.kill('SIGKILL');
        reject(
          new OperatorError(`${entry} was not loaded within ${loadSeconds} s`, {
            hint: 'something in it is awaited at the top level that does not come',
          }),
        );
      });
      this.#child.on('message', (message: FromController) => {
        cancel();
        if (message.type === 'loaded') resolve(message);
        else if (message.type === 'refused') reject(new OperatorError(message.message, { hint: message.hint }));
      });
      void this.ended.then((how) => {
        cancel();
        reject(new OperatorError(`loading ${entry} ended the process with ${how}`));
      });
    });
  }

  #send(message: ToController): void {
    if (this.#child.connected) this.#child.send(message, () => {});
  }
}
