import { getEventListeners } from 'node:events';
import { Hangs } from '../runtime/informer/hangs.js';
import { NewestVersion } from '../runtime/informer/newest-version.js';
import { LeaderElection } from '../runtime/lease/leader-election.js';
import { leaderOnly } from '../runtime/lease/leader-only.js';
import { tellingLease } from '../runtime/lease/telling-lease.js';
import { forMany } from '../runtime/process/for-many.js';
import { runController } from '../runtime/run-controller.js';
import type { Faults } from './faults.js';
import { FaultyCluster } from './faulty-cluster.js';
import type { Life } from './life.js';
import { LineLog, type LogLine } from './line-log.js';
import { MortalClock } from './mortal-clock.js';
import { mortalFetch } from './mortal-fetch.js';
import { PlannedFaults } from './planned-faults.js';
import type { TestControllerOptions } from './run-options.js';
import { settled } from './virtual-clock.js';

/** As in a process: what is under way gets this long to finish. */
const graceMilliseconds = 5_000;

/**
 * The production controller, running in this process on a test's cluster and time.
 *
 * **Guarantees.** What crashed or stopped makes no call, sets no timer and answers nothing. A restart knows nothing of
 * what was before, as a new process does.
 */
export class TestController {
  readonly #faults: PlannedFaults;
  readonly #lines: LogLine[] = [];
  #life: Life | undefined;
  #lives = 0;
  #leftOver = { timers: 0, listeners: 0 };
  #skewSeconds = 0;
  #clockRate = 1;

  constructor(private readonly options: TestControllerOptions) {
    this.#faults = new PlannedFaults(options.now, options.clock);
    this.#life = this.#start();
  }

  /** What goes wrong between this controller and its cluster; it outlives a restart. */
  get faults(): Faults {
    return this.#faults;
  }

  /** Its name in events and in the Lease. */
  get identity(): string {
    return this.options.identity;
  }

  /** False after it crashed or stopped, until it is started again. */
  get isRunning(): boolean {
    return this.#life !== undefined;
  }

  /** True while it holds the Lease, or needs none. */
  get leads(): boolean {
    return this.#life !== undefined && (this.#life.election?.leads ?? true);
  }

  /** What it logged, in all its lives. */
  get log(): readonly LogLine[] {
    return this.#lines;
  }

  /** True when no custom resource waits for it or is being reconciled. */
  get isIdle(): boolean {
    return this.#life?.controller.isIdle ?? true;
  }

  /** How often it was started: what it knew in an earlier life it does not know any more. */
  get lives(): number {
    return this.#lives;
  }

  /** How many timers and listeners its last end by `stop` left behind. Anything but 0 is a leak. */
  get leftOver(): { readonly timers: number; readonly listeners: number } {
    return this.#leftOver;
  }

  /** Dies at once, as by SIGKILL: nothing is finished, nothing released. */
  crash(): void {
    const life = this.#life;
    if (!life) return;
    this.#life = undefined;
    life.cluster.die();
    life.clock.die();
    life.stop.abort(new Error('crashed'));
    life.died();
  }

  /**
   * Stops as by SIGTERM: what is under way may end, and the Lease is released. Runs until then. Resolves when it is gone. What takes time
   * has five seconds of the cluster's, which somebody has to let go by: `const gone = controller.stop(); await cluster.advance(5);
   * await gone`.
   */
  async stop(): Promise<void> {
    const life = this.#life;
    if (!life) return;
    // Who asks a second time waits for the same end.
    life.ending ??= this.#end(life, async () => {
      life.stop.abort(new Error('stopped'));
      await life.controller.stopped;
      await life.election?.release();
    });
    await life.ending;
  }

  async #end(life: Life, stop: () => Promise<void>): Promise<void> {
    await Promise.race([stop(), life.death]);
    if (this.#life !== life) return;
    this.#life = undefined;
    this.#leftOver = {
      timers: life.clock.timers,
      listeners: getEventListeners(life.stop.signal, 'abort').length,
    };
    life.cluster.die();
    life.clock.die();
  }

  /** Starts again with empty stores. A controller that still runs crashes first. */
  restart(): void {
    this.crash();
    this.#life = this.#start();
  }

  /** Is stopped as by SIGSTOP: time goes on without it. */
  pause(): void {
    if (!this.#life) return;
    this.#life.isStopped = true;
    this.#life.clock.pause();
    this.#life.cluster.pause();
  }

  /**
   * Goes on as by SIGCONT. What came in meanwhile is heard before or after the timers that fell due. Where something of it stops
   * it again, the rest waits on.
   */
  async resume({ first = 'timers' }: { readonly first?: 'timers' | 'answers' } = {}): Promise<void> {
    const life = this.#life;
    if (!life) return;
    life.isStopped = false;
    if (first === 'answers') {
      life.cluster.resume();
      await settled();
      if (life.isStopped) return;
    }
    await life.clock.resume();
    if (life.isStopped) return;
    life.cluster.resume();
    await settled();
  }

  /** From now on the wall clock of its machine is fast by so many seconds, or slow by a negative number. Timers run as before. */
  setWallClock(skewSeconds: number): void {
    this.#skewSeconds = skewSeconds;
  }

  /** The clocks of its machine run so many times as fast as others do, from now on. */
  setClockRate(rate: number): void {
    this.#clockRate = rate;
    this.#life?.clock.setRate(rate);
  }

  /** It takes its Lease for lost, whatever the Lease says: it writes nothing any more, and ends as the real one does. */
  loseLease(): void {
    if (this.#life) this.#lost(this.#life, new Error('the Lease is lost'));
  }

  /** As `runOperators` does it: nothing is written or given back, and what is under way has a moment to end. */
  #lost(life: Life, error: Error): void {
    life.cluster.fence(error);
    life.ending ??= this.#end(life, async () => {
      let cancel = () => {};
      const late = new Promise<void>((resolve) => {
        cancel = life.clock.after(graceMilliseconds, resolve);
      });
      life.stop.abort(error);
      await Promise.race([life.controller.stopped, late]);
      cancel();
    });
  }

  #start(): Life {
    const { operators, random, namespaces, identity, leaderElect, carriedOut, gaveUp = () => {} } = this.options;
    const { historyLost } = this.options;
    this.#lives += 1;
    const clock = new MortalClock(this.options.clock, () => this.#skewSeconds * 1000);
    clock.setRate(this.#clockRate);
    let died = () => {};
    const death = new Promise<void>((resolve) => {
      died = resolve;
    });
    const stop = new AbortController();
    forMany(stop.signal);
    const cluster = new FaultyCluster({
      cluster: this.options.connect?.(this.#lives) ?? this.options.cluster,
      faults: this.#faults,
      clock,
      network: this.options.clock,
      crash: () => this.crash(),
      carriedOut,
      gaveUp,
    });
    const log = new LineLog(this.#lines, clock, { identity });
    const newest = new NewestVersion();
    const hangs = new Hangs(clock);
    const lease = tellingLease(cluster, newest);
    const election = leaderElect
      ? new LeaderElection({ cluster: lease, clock, random, log, namespace: 'default', id: 'kilter', identity, hangs })
      : undefined;
    election?.follow(stop.signal);
    const lead = async (): Promise<void> => {
      await election?.acquire(stop.signal);
      void election?.renew(stop.signal, (error) => {
        // Who died has nothing left to lose.
        if (this.#life?.stop === stop) this.#lost(this.#life, error);
      });
    };
    const controller = runController(
      {
        operators,
        cluster: election ? leaderOnly(cluster, election) : cluster,
        clock,
        random,
        log,
        namespaces,
        assumeConsent: this.options.assumeConsent,
        rolloutLimit: this.options.rolloutLimit,
        room: this.options.room,
        settings: this.options.settings ?? {},
        fetch: mortalFetch(() => cluster.awake(), this.options.fetch),
        instance: identity,
        lead,
        leadership: election,
        newest,
        hangs,
        ...(historyLost ? { historyLost } : {}),
      },
      stop.signal,
    );
    return { controller, cluster, clock, stop, election, death, died, isStopped: false };
  }
}
