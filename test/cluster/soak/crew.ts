import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from '../../simulation/dice.js';
import type { FaultProxy } from '../fault-proxy.js';
import { type ControllerProcess, type InstalledController, openMetrics } from '../installed-controller.js';

/** Of a controller: a program, and what it is that it makes. */
export interface Version {
  readonly name: 'the one before' | 'the next';
  /** Absent: the one that is installed. */
  readonly program?: string;
}

/** Replicas of the controller, each started anew when it has ended, as by a kubelet. */
export class Crew {
  readonly #running = new Map<string, ControllerProcess>();
  /** Of which version each is, or will be when it is started again. */
  readonly #versions = new Map<string, Version>();
  readonly #ended: { readonly process: ControllerProcess; readonly wasAsked: boolean; readonly code: number | null }[] =
    [];
  /** Those that end because somebody asked them to, or killed them. */
  readonly #asked = new Set<ControllerProcess>();
  #isOver = false;

  constructor(
    private readonly installed: InstalledController,
    private readonly proxy: FaultProxy,
    private readonly dice: Dice,
    names: readonly string[],
    private readonly flags: readonly string[],
    version: Version,
  ) {
    for (const name of names) {
      this.#versions.set(name, version);
      this.#start(name);
    }
  }

  #start(podName: string): void {
    const { installed, proxy, flags } = this;
    const program = this.#versions.get(podName)?.program;
    const started = installed.start({ proxy, podName, flags: [...openMetrics, ...flags], readsToken: true, program });
    this.#running.set(podName, started);
    void started.exited.then(({ code }) => {
      this.#ended.push({ process: started, wasAsked: this.#asked.has(started), code });
      if (!this.#isOver) this.#start(podName);
    });
  }

  async kill(): Promise<void> {
    await this.#one().kill();
  }

  /** As a rolling update does it, which may also come to a stop between two of them, or be undone. */
  rollOne(version: Version): void {
    this.#roll(this.dice.one([...this.#running.keys()]), version);
  }

  /** All of them that are of another version. */
  rollOut(version: Version): void {
    for (const [name, { name: current }] of this.#versions) if (current !== version.name) this.#roll(name, version);
  }

  #roll(name: string, version: Version): void {
    this.#versions.set(name, version);
    const one = this.#running.get(name);
    if (!one) return;
    this.#asked.add(one);
    one.signal('SIGTERM');
  }

  terminate(): void {
    this.#one().signal('SIGTERM');
  }

  async standStill(milliseconds: number): Promise<void> {
    const one = this.dice.one([...this.#running.values()]);
    one.signal('SIGSTOP');
    await sleep(milliseconds);
    one.signal('SIGCONT');
  }

  #one(): ControllerProcess {
    const one = this.dice.one([...this.#running.values()]);
    this.#asked.add(one);
    return one;
  }

  /** Throws unless whoever leads has nothing left to do. */
  async expectIdle(): Promise<void> {
    await Promise.any([...this.#running.values()].map((each) => each.expectIdle()));
  }

  /** The end of what those that run have said. */
  get tail(): string {
    return [...this.#running].map(([name, { output }]) => `${name}:\n${output.slice(-3000)}`).join('\n');
  }

  /** Resolves when all have ended as they were asked to; nobody is started any more. */
  async end(): Promise<void> {
    this.#isOver = true;
    for (const each of this.#running.values()) {
      this.#asked.add(each);
      each.signal('SIGTERM');
    }
    await Promise.all([...this.#running.values()].map(({ exited }) => exited));
    this.#running.clear();
  }

  /**
   * What no process may do: end by itself, but for a Lease that it lost; end with another code than 0 when it is asked to; say
   * what is no line of its log.
   */
  get wrongs(): readonly string[] {
    return this.#ended.flatMap(({ process, wasAsked, code }) => {
      const mayEnd = process.said('Lost the Lease').length > 0 ? [0, 1] : wasAsked ? [0, null] : [];
      const others = process.output.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
      return [
        ...(mayEnd.includes(code) ? [] : [`a process ended with ${code}: ${process.output.slice(-1500)}`]),
        ...others.map((line) => `a process said: ${line}`),
      ];
    });
  }
}
