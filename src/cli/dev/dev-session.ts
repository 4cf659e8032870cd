import { InvalidError } from '../../client/api-error.js';
import type { Clock } from '../../kube/clock.js';
import { OperatorError } from '../../kube/errors.js';
import type { Manifest } from '../../kube/manifest.js';
import { keyOf, refOf, show } from '../../kube/object-ref.js';
import { causeOf } from '../error-text.js';
import type { Bundler } from './bundler.js';
import { ControllerProcess, type Loaded } from './controller-process.js';
import type { DevCluster } from './dev-cluster.js';
import { type Change, FolderWatch } from './folder-watch.js';
import { foldersOf, samplesIn } from './samples-in.js';

export interface DevSessionOptions {
  readonly cluster: DevCluster;
  readonly bundler: Bundler;
  /** As the author calls it. */
  readonly entry: string;
  /** A file or a folder. */
  readonly samples: string | undefined;
  readonly clock: Clock;
  /** Takes what the session has to say, in words for a person. */
  readonly say: (text: string) => void;
  /** Takes the lines of the controller's log, and of whatever else the author's code writes. */
  readonly line: (line: string) => void;
}

const installer = 'kilter-dev';
const [firstRestartMilliseconds, lastRestartMilliseconds] = [1000, 30_000];

/**
 * Runs an author's operators on a cluster, and runs them anew when their sources change.
 *
 * **Guarantees.** What runs is the last version that could be loaded and installed: a source that cannot be compiled,
 * loaded or installed is told of, and changes nothing. Two versions never run at once. Once a version has run, either
 * one runs or the next try is due. The cluster is never touched but by what the operators and the samples need.
 */
export class DevSession {
  readonly #sources: FolderWatch;
  readonly #samples: FolderWatch;
  #current: ControllerProcess | undefined;
  /** The last that was started, which may still be loading. */
  #spawned: ControllerProcess | undefined;
  #bundle: string | undefined;
  /** What a failed attempt was made with, not to be tried again and again by itself. */
  #refused: string | undefined;
  #turn: Promise<void> = Promise.resolve();
  #isClosed = false;
  #restartMilliseconds = firstRestartMilliseconds;
  #cancelRestart: (() => void) | undefined;
  #complainedAt = Number.NEGATIVE_INFINITY;
  #appliedSamples = new Map<string, string>();
  /** Complaints since something was last written: that a folder is watched from now on is no reason to repeat them. */
  readonly #told = new Set<string>();

  constructor(private readonly options: DevSessionOptions) {
    this.#sources = new FolderWatch(options.clock, (how) => void this.#next(() => this.#load(how), how));
    this.#samples = new FolderWatch(options.clock, (how) => void this.#next(() => this.#applySamples(), how));
  }

  /** Resolves when the operators run for the first time, or when it was said why they do not. */
  start(): Promise<void> {
    return this.#next(async () => {
      await this.#load('started');
      await this.#applySamples();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRestart?.();
    this.#sources.close();
    this.#samples.close();
    // Whatever is being loaded goes, and with it what waits for it.
    if (this.#spawned !== this.#current) await this.#spawned?.stop();
    await this.#turn;
    await this.#current?.stop();
    await this.options.bundler.close();
  }

  /** One thing after the other: an installation that a newer one overtakes would leave a mixture. */
  #next(step: () => Promise<void>, why: 'started' | Change = 'started'): Promise<void> {
    this.#turn = this.#turn.then(async () => {
      if (this.#isClosed) return;
      if (why !== 'opened') this.#told.clear();
      try {
        await step();
      } catch (error) {
        this.#complain(error);
      }
    });
    return this.#turn;
  }

  async #load(why: 'started' | Change): Promise<void> {
    const { entry, say, clock } = this.options;
    const start = clock.monotonic();
    const file = await this.#build();
    // What is told of a failure may itself be written to a file that is watched.
    const isLater = start - this.#complainedAt >= firstRestartMilliseconds;
    // Whoever saves asks for another try: a package may be installed by now, or the cluster take what it refused.
    const isAsked = why === 'changed' && isLater;
    if (file === this.#bundle) {
      if (this.#current && this.#refused !== undefined) say('back at the version that runs');
      this.#refused = undefined;
      if (isAsked) await this.#restart();
      return;
    }
    if (file === this.#refused && !isAsked) return;
    this.#refused = file;
    const loaded = await this.#replace(file);
    this.#refused = undefined;
    const seconds = ((clock.monotonic() - start) / 1000).toFixed(1);
    say(`${why === 'started' ? 'loaded' : 'reloaded'} ${entry} in ${seconds} s: ${loaded.operators.join(', ')}`);
    if (why !== 'started') await this.#applySamples();
  }

  async #build(): Promise<string> {
    const { bundler } = this.options;
    try {
      return (await bundler.build()).file;
    } catch (error) {
      this.#refused = 'not compiled';
      throw error;
    } finally {
      this.#sources.follow(bundler.folders);
    }
  }

  /** Puts a new version in the place of the one that runs, once all is well with it. */
  async #replace(bundle: string): Promise<Loaded> {
    const next = this.#spawn(bundle);
    let loaded: Loaded;
    try {
      loaded = await next.loaded;
      for (const manifest of loaded.install.manifests) await this.#install(manifest);
    } catch (error) {
      await next.stop();
      throw error;
    }
    await this.#current?.stop();
    this.#bundle = bundle;
    this.#restartMilliseconds = firstRestartMilliseconds;
    this.#run(next, loaded);
    return loaded;
  }

  async #install(manifest: Manifest): Promise<void> {
    try {
      await this.options.cluster.apply(manifest, installer);
    } catch (error) {
      const isKept = manifest.kind === 'CustomResourceDefinition' && error instanceof InvalidError;
      if (!isKept || !error.message.includes('field is immutable')) throw error;
      throw new OperatorError(error.message, {
        cause: error,
        hint: 'an API server never allows that change: delete the CustomResourceDefinition and save again, or use --fresh',
      });
    }
  }

  #spawn(bundle: string): ControllerProcess {
    const { entry, clock, line } = this.options;
    this.#spawned = new ControllerProcess({ bundle, entry, clock, line });
    if (this.#isClosed) void this.#spawned.stop();
    return this.#spawned;
  }

  #run(process: ControllerProcess, { install }: Loaded): void {
    const { namespace, name } = install.account;
    const connection = this.options.cluster.connectionOf(namespace, name);
    this.#cancelRestart?.();
    this.#current = process;
    process.run(connection);
    void process.ended.then((how) => this.#ended(process, how));
  }

  /** A controller that ends by itself is started again, as it would be in a Pod. */
  #ended(process: ControllerProcess, how: string): void {
    if (process !== this.#current || process.isStopping || this.#isClosed) return;
    this.#current = undefined;
    this.options.say(`the controller ended by itself, with ${how}; it is started again in ${this.#restartLater()} s`);
  }

  /** After a pause that is longer each time; says after how many seconds. */
  #restartLater(): number {
    const wait = this.#restartMilliseconds;
    this.#restartMilliseconds = Math.min(wait * 2, lastRestartMilliseconds);
    this.#cancelRestart?.();
    this.#cancelRestart = this.options.clock.after(wait, () => void this.#next(() => this.#restart()));
    return wait / 1000;
  }

  async #restart(): Promise<void> {
    if (this.#current || this.#bundle === undefined) return;
    const next = this.#spawn(this.#bundle);
    try {
      this.#run(next, await next.loaded);
    } catch (error) {
      await next.stop();
      this.#restartLater();
      throw error;
    }
  }

  /** Each sample once for each content of it: what somebody changed in the cluster meanwhile stays changed. */
  async #applySamples(): Promise<void> {
    const { samples, cluster, say } = this.options;
    if (samples === undefined) return;
    this.#samples.follow(await foldersOf(samples));
    const applied: string[] = [];
    for (const { manifest, file } of await samplesIn(samples, (error) => this.#complain(error))) {
      const [key, content] = [keyOf(refOf(manifest)), JSON.stringify(manifest)];
      if (this.#appliedSamples.get(key) === content) continue;
      try {
        await cluster.apply(manifest, installer);
        this.#appliedSamples.set(key, content);
        applied.push(show(refOf(manifest)));
      } catch (error) {
        this.#complain(error, file);
      }
    }
    if (applied.length > 0) say(`applied ${applied.join(', ')}`);
  }

  /** `file`: what the author wrote that is at fault, where the error itself does not name it. */
  #complain(error: unknown, file?: string): void {
    if (this.#isClosed) return;
    this.#complainedAt = this.options.clock.monotonic();
    const told = error instanceof OperatorError ? error : { message: textOf(error), hint: undefined };
    const parts = { file, cause: causeOf(told), hint: told.hint };
    const about = Object.entries(parts).flatMap(([name, text]) => (text === undefined ? [] : [`${name}: ${text}`]));
    const text = [told.message, ...about, ...this.#outlook()].join('\n');
    if (!this.#told.has(text)) this.options.say(text);
    this.#told.add(text);
  }

  /** What runs in spite of a failure, for whoever would have to guess. */
  #outlook(): readonly string[] {
    if (this.#current) return this.#refused === undefined ? [] : ['(the version before goes on running)'];
    if (this.#bundle === undefined) return ['(no controller runs; it is tried again when you save)'];
    return ['(no controller runs; it is started again soon, and when you save)'];
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
