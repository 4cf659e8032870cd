/** Longer than most files: each thing that a test does with a cluster has its method. */
import { NotFoundError } from '../client/api-error.js';
import type { Cluster } from '../client/cluster.js';
import type { Operator } from '../compose/operator.js';
import type { CustomDefinition } from '../embedded/custom/custom-definition.js';
import { EmbeddedServer } from '../embedded/embedded-server.js';
import { type ApiResource, groupOf, groupResourceOf, versionOf } from '../kube/api-resource.js';
import { definitionKind } from '../kube/definition-kind.js';
import { OperatorError } from '../kube/errors.js';
import type { Manifest } from '../kube/manifest.js';
import { show } from '../kube/object-ref.js';
import type { Observed } from '../resource/typed-object.js';
import { accountOf } from './account-of.js';
import { type Appliable, inDefault, type KindOf, manifestOf, targetOf } from './appliable.js';
import { type Call, type ControllerWrite, isWrite } from './call.js';
import { Descent } from './descent.js';
import { LastChanges } from './last-changes.js';
import { refuseEndless } from './refuse-endless.js';
import { refuseClusterOptions, refuseRunOptions } from './refuse-options.js';
import { refuseUnserved } from './refuse-unserved.js';
import { reviewerOf } from './reviewer-of.js';
import type { RunOptions } from './run-options.js';
import { seededRandom } from './seeded-random.js';
import { Standstill } from './standstill.js';
import type { PatchOptions, SettleOptions, TestClusterOptions, UntilOptions } from './test-cluster-options.js';
import { TestController } from './test-controller.js';
import { troublesOf } from './troubles.js';
import { VirtualClock } from './virtual-clock.js';

/** Starts a cluster for a test, in this process. Its time stands still but for the methods of `TestCluster` that move it on. */
export async function startCluster(options: TestClusterOptions = {}): Promise<TestCluster> {
  const cluster = new TestCluster(options);
  await cluster.advance(0);
  return cluster;
}

/**
 * The embedded API server with its small controllers, on virtual time: apply, run operators, break things, look.
 *
 * **Guarantees.** Deterministic: the same calls with the same seed give the same objects, down to uids and times. Stored objects that
 * are returned are frozen. Methods that wait for something throw an error that says what did not happen.
 */
export class TestCluster {
  readonly clock: VirtualClock;
  /** The server itself, for what this class has no words for. */
  readonly server: EmbeddedServer;
  readonly #random;
  readonly #client: Cluster;
  readonly #controllers: TestController[] = [];
  readonly #writes: ControllerWrite[] = [];
  readonly #lastChanges: LastChanges;
  readonly #standstill = new Standstill();
  readonly #descent = new Descent();
  readonly #operators: Operator[] = [];
  #endless: OperatorError | undefined;

  constructor(options: TestClusterOptions) {
    refuseClusterOptions(options);
    const { seed = 1, startAt, controllers = {} } = options;
    this.clock = new VirtualClock(startAt);
    this.#random = seededRandom(seed);
    this.server = new EmbeddedServer({ clock: this.clock, random: this.#random, controllers });
    this.#client = this.server.cluster();
    this.#lastChanges = new LastChanges(this.clock);
    this.server.store.listen((change) => this.#lastChanges.saw(change));
    this.server.store.listen((change) => this.#descent.saw(change, this.clock.monotonic(), this.#operators));
  }

  /**
   * Installs the operators' CRDs with who converts and admits their objects, and runs one controller with all of them.
   * Resolves when its stores are filled.
   */
  async run(operators: Operator | readonly Operator[], options: RunOptions = {}): Promise<TestController> {
    refuseRunOptions(options);
    const all = [operators].flat() as readonly Operator[];
    this.#operators.push(...all);
    const install = all.map(({ name }) => name).join('-');
    for (const { resource } of all) {
      this.server.reviewers.set(groupResourceOf(resource), reviewerOf(resource, install, options.namespaces));
      await this.install(resource.crd());
    }
    const identity = options.identity ?? `controller-${this.#controllers.length + 1}`;
    const controller = new TestController({
      ...options,
      operators: all,
      cluster: this.server.cluster(accountOf(install)),
      clock: this.clock,
      random: this.#random,
      identity,
      now: () => String(this.server.store.revision),
      carriedOut: (call) => {
        if (isWrite(call)) this.#wrote(call, controller);
      },
    });
    this.#controllers.push(controller);
    await this.advance(0);
    return controller;
  }

  /**
   * Applies a CustomResourceDefinition. Resolves when its kind is served. Throws `OperatorError` where it is not, as by a definition
   * whose names another one has.
   */
  async install(definition: Manifest): Promise<void> {
    await this.apply(definition);
    await this.advance(0);
    const { name } = definition.metadata;
    refuseUnserved((await this.#client.get(definitionKind, { name })) as CustomDefinition);
  }

  /** Server-side apply, as `kubectl apply --server-side --force-conflicts`. Returns the object as it is then. */
  async apply<T>(what: Appliable, { manager = 'kubectl', force = true } = {}): Promise<Observed<T>> {
    const manifest = manifestOf(what);
    const resource = this.#resourceOf(manifest);
    const target = resource.namespaced ? inDefault(manifest) : manifest;
    const object = await this.#client.apply(resource, target, {
      fieldManager: manager,
      fieldValidation: 'Strict',
      force,
    });
    await this.advance(0);
    return object as unknown as Observed<T>;
  }

  /**
   * A merge patch, as `kubectl patch --type=merge`; but of a field that there is not it throws, where kubectl warns: nothing would have
   * been changed, and a test that it is put back could not fail.
   */
  async patch<T>(
    kind: KindOf<T>,
    name: string,
    patch: object,
    { namespace = 'default', manager = 'kubectl-patch', subresource }: PatchOptions = {},
  ): Promise<Observed<T>> {
    const target = targetOf(kind, name, namespace);
    const on = subresource === undefined ? {} : { subresource };
    const options = { fieldManager: manager, fieldValidation: 'Strict', ...on } as const;
    const object = await this.#client.patch(kind, target, { type: 'merge', body: patch }, options);
    await this.advance(0);
    return object as unknown as Observed<T>;
  }

  /** Deletes in the background, as `kubectl delete --wait=false`. */
  async delete(kind: ApiResource, name: string, { namespace = 'default' } = {}): Promise<void> {
    await this.#client.delete(kind, targetOf(kind, name, namespace));
    await this.advance(0);
  }

  /** Throws an error that names what there is instead, if the object is not there. */
  async get<T>(kind: KindOf<T>, name: string, { namespace = 'default' } = {}): Promise<Observed<T>> {
    const object = await this.find(kind, name, { namespace });
    if (object) return object;
    const there = await this.list(kind);
    const names = there.map(({ metadata }) => show({ ...metadata, kind: kind.kind } as never)).join(', ');
    const ref = show({ kind: kind.kind, ...targetOf(kind, name, namespace) });
    throw new OperatorError(
      `${ref} is not there: ${names === '' ? `there is no ${kind.kind} at all` : `there is ${names}`}`,
      { hint: this.#troubles() },
    );
  }

  /** The object, or undefined. */
  async find<T>(kind: KindOf<T>, name: string, { namespace = 'default' } = {}): Promise<Observed<T> | undefined> {
    try {
      return (await this.#client.get(kind, targetOf(kind, name, namespace))) as unknown as Observed<T>;
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  }

  /** All objects of a kind, or those of a namespace, or with certain labels: `app=web,tier=front`. */
  async list<T>(
    kind: KindOf<T>,
    options: { readonly namespace?: string; readonly labelSelector?: string } = {},
  ): Promise<readonly Observed<T>[]> {
    const { items } = await this.#client.list(kind, options);
    return items as unknown as readonly Observed<T>[];
  }

  /** Moves time on by so many seconds; 0 does what is due. Throws `OperatorError` for who writes without end while it stands still. */
  async advance(seconds: number): Promise<void> {
    refuseEndless('advance(seconds)', seconds, Number.MAX_VALUE);
    this.#standstill.begin();
    this.#descent.begin();
    await this.clock.advance(seconds * 1000);
    const endless = this.#endless;
    this.#endless = undefined;
    if (endless) throw endless;
  }

  /**
   * Moves time on until nothing has been written for a while: the cluster is at rest. Throws if it does not come to rest,
   * with the last writes.
   */
  async settled({ quietSeconds = 60, timeoutSeconds = 3600 }: SettleOptions = {}): Promise<void> {
    refuseEndless('quietSeconds', quietSeconds);
    await this.until(
      () => this.clock.monotonic() - this.#lastChanges.at >= quietSeconds * 1000,
      `the cluster comes to rest for ${quietSeconds} s`,
      { timeoutSeconds, stepSeconds: quietSeconds > 0 ? quietSeconds : 1 },
    );
  }

  /** Moves time on until `holds` gives true. Throws `OperatorError` after `timeoutSeconds`, which says that `what` did not happen. */
  async until(
    holds: () => boolean | Promise<boolean>,
    what: string,
    { timeoutSeconds = 3600, stepSeconds = 1 }: UntilOptions = {},
  ): Promise<void> {
    refuseEndless('timeoutSeconds', timeoutSeconds);
    refuseEndless('stepSeconds', stepSeconds, Number.POSITIVE_INFINITY, Number.MIN_VALUE);
    const end = this.clock.monotonic() + timeoutSeconds * 1000;
    for (;;) {
      await this.advance(0);
      if (await holds()) return;
      if (this.clock.monotonic() >= end) {
        throw new OperatorError(`It did not happen within ${timeoutSeconds} s that ${what}`, {
          hint: this.#troubles(),
        });
      }
      // No further than the next thing that happens, so that no moment is missed.
      await this.clock.advance(Math.min(this.clock.next ?? Infinity, stepSeconds * 1000, end - this.clock.monotonic()));
    }
  }

  /** All writes of controllers, in order; with `since`, those after the first so many: `writes(before.length)`. */
  writes(since = 0): readonly ControllerWrite[] {
    return this.#writes.slice(since);
  }

  /** Forgets the history of changes, as etcd's compaction does: a watch that resumes is told to list again. */
  compact(): void {
    this.server.store.compact();
  }

  /** Ends all controllers. The objects stay. */
  async stop(): Promise<void> {
    for (const controller of this.#controllers) controller.crash();
    this.server.stop();
  }

  #wrote(call: Call, controller: TestController): void {
    const now = this.clock.monotonic();
    this.#writes.push({ ...call, at: now / 1000, by: controller.identity });
    const error = this.#standstill.saw(call, now, controller.identity) ?? this.#descent.error;
    if (!error) return;
    controller.crash();
    this.#endless = error;
  }

  #troubles(): string {
    return troublesOf(this.#writes, this.#lastChanges, this.#controllers);
  }

  #resourceOf({ apiVersion, kind }: Manifest): ApiResource {
    const served = this.server.kinds.kind(groupOf(apiVersion), versionOf(apiVersion), kind);
    if (served) return { apiVersion, kind, plural: served.plural, namespaced: served.namespaced };
    throw new OperatorError(`${kind} (${apiVersion}) is not served`, {
      hint: `install its CustomResourceDefinition first: cluster.run(operator) does so, or cluster.install(definition)`,
    });
  }
}
