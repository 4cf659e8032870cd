/** Longer than most files: a cluster, its controllers, and all that can become of both. */
import { Lease } from '../../imports/k8s.js';
import { TransportError } from '../../src/client/api-error.js';
import type { Cluster } from '../../src/client/cluster.js';
import type { Operator } from '../../src/compose/operator.js';
import type { Inputs } from '../../src/compose/reads.js';
import type { EmbeddedServer } from '../../src/embedded/embedded-server.js';
import type { StoredObjects } from '../../src/embedded/state/cluster-state.js';
import type { KubeObject } from '../../src/kube/manifest.js';
import { placeOf } from '../../src/kube/object-ref.js';
import { isWrite } from '../../src/testing/call.js';
import { seededRandom } from '../../src/testing/seeded-random.js';
import { TestController } from '../../src/testing/test-controller.js';
import { VirtualClock } from '../../src/testing/virtual-clock.js';
import { conditionIn } from '../condition-in.js';
import { Calm } from './calm.js';
import { changingCluster } from './changing-cluster.js';
import { ClockRates } from './clock-rates.js';
import { redefine, serve, type Taken } from './definitions.js';
import { History, idOf } from './history.js';
import { kindOf, kinds } from './kinds.js';
import { type Cast, operatorsOf } from './operators/all.js';
import { Report } from './operators/report.js';
import { Gem, Review } from './operators/review.js';
import { Races } from './races.js';
import type { Edition, Schedule, SickStep } from './schedule.js';
import { SeatService } from './seats.js';
import { Tally } from './tally.js';
import { serverOf } from './template.js';
import { desiredBy, isAsDesired, lacksItsOwn, sightOf, statusBy } from './truth.js';
import { byChance, lateByChance } from './unwell.js';
import { Wishes } from './wishes.js';
import { type Witness, type Writer, witnessed } from './witnessed-cluster.js';

/** Whoever is asked to end has ended after so long, whatever is under way. */
const endMilliseconds = 5_000;
/** How often one looks whether a replica has died, which a kubelet does. */
const lookMilliseconds = { inTrouble: 250, atRest: 5000 };

/** In half of the histories almost every object is packed, as where there are more than anybody looks at. */
const fewAtHand = { most: 2, tidy: 1 };

/** They read by labels. */
const readers: ReadonlySet<string> = new Set([Report.kind, Review.kind]);

/** One cluster with its controllers, and the history that is made in it. */
export class World {
  readonly user: Cluster;
  server: EmbeddedServer;
  history: History;
  /** What was wrong before the server was restored. */
  readonly violationsBefore: string[] = [];
  #backup: StoredObjects | undefined;
  #untilRestored = new AbortController();
  /** What the definition of Sites takes. */
  taken: Taken = 'all';
  #wishes: Wishes;
  #replicas: readonly TestController[] = [];
  readonly #restarting = new Set<TestController>();
  readonly #stopping = new Set<Promise<void>>();
  /** By replica, which version of the operators it is to be from its next start on. */
  readonly #editions = new Map<string, Edition>();
  /** By writer, which it is. */
  readonly #editionsOfLives = new Map<string, Edition>();
  readonly races: Races;
  readonly tally = new Tally();
  readonly seats = new SeatService((fault) => this.tally.failed(fault));
  /** Those whose watch of the Lease leads to a server that is not well. */
  readonly #deafToLease = new Set<string>();
  #isOver = false;

  private constructor(
    readonly clock: VirtualClock,
    private readonly makeServer: (backup?: StoredObjects) => EmbeddedServer,
    private readonly clocks: ClockRates,
    readonly calm: Calm,
    private readonly begin: (server: EmbeddedServer, before?: History) => History,
    private readonly schedule: Cast & Pick<Schedule, 'rolloutLimit'>,
  ) {
    this.server = makeServer();
    this.history = begin(this.server);
    let [of, cluster] = [this.server, this.server.cluster()];
    this.user = changingCluster(
      () => {
        if (of !== this.server) [of, cluster] = [this.server, this.server.cluster()];
        return cluster;
      },
      () => this.#untilRestored.signal,
    );
    this.#wishes = this.#follow();
    this.races = new Races(
      this.user,
      (kind) => this.list(kind),
      (race) => this.tally.befalls('race', race),
    );
  }

  get wishes(): Wishes {
    return this.#wishes;
  }

  #follow(): Wishes {
    this.server.store.listen(({ object }) => this.tally.changed(object.kind));
    return new Wishes(this.server.store, (kind) => this.list(kind));
  }

  static async start(schedule: Omit<Schedule, 'restartSeconds' | 'workload'>): Promise<World> {
    const { seed, replicas, rolloutLimit } = schedule;
    const listedOfPast = new Set(schedule.faults.flatMap((each) => (each.fault === 'lag' ? [each.kind] : [])));
    const isLagging = listedOfPast.size > 0;
    const clock = new VirtualClock();
    const random = seededRandom(seed);
    const makeServer = await serverOf(schedule, clock, random);
    const leaderElect = replicas > 1;
    const clocks = new ClockRates(clock);
    const calm = new Calm(clock);
    const followers = new Set<Writer>();
    const world = new World(
      clock,
      makeServer,
      clocks,
      calm,
      (server, before) =>
        new History(
          server,
          clock,
          {
            hasLease: leaderElect,
            isUndisturbed: schedule.faults.length === 0,
            listedOfPast,
            hasTrueClocks: schedule.faults.every(({ fault }) => fault !== 'wall' && fault !== 'rate'),
            calm,
            follows: (replica) => {
              if (world.#deafToLease.has(replica)) return false;
              const life = world.#replicas.find(({ identity }) => identity === replica)?.lives;
              return [...followers].some((each) => each.replica === replica && each.life === life);
            },
            clocks,
            endless: () => world.#end(),
            editionOf: (id) => world.#editionsOfLives.get(id) ?? 'first',
            // Whoever is given a list of the past hears of what was changed before as of something new.
            rolloutLimit: isLagging ? undefined : rolloutLimit,
            isWell: (cr, by) => isAsDesired(world, cr, operatorsOf(schedule, world.#editionsOfLives.get(by))),
            wasWell: (cr, by, child, before) =>
              !lacksItsOwn(world, cr, operatorsOf(schedule, world.#editionsOfLives.get(by))) &&
              (['first', 'second', 'third'] as const).some(
                (edition) =>
                  edition !== (world.#editionsOfLives.get(by) ?? 'first') &&
                  isAsDesired(world, cr, operatorsOf(schedule, edition), { child, before }),
              ),
            desiredBy: (cr, by) => desiredBy(world, cr, by),
            // What is read by labels a replica that lags shows as it was, also to whoever asks again.
            sightOf: (cr, child, by) => (isLagging && readers.has(cr.kind) ? undefined : sightOf(world, cr, child, by)),
            statusBy: (cr, by) => statusBy(world, cr, by),
          },
          before,
        ),
      schedule,
    );
    const make = (identity: string, index: number) => {
      const replica: TestController = new TestController({
        // Asked for at each start.
        get operators() {
          return operatorsOf(schedule, world.#editions.get(identity)).map((operator) => ({
            ...operator,
            composition: (cr: KubeObject, inputs: Inputs) => {
              const composition = operator.composition(cr, inputs);
              world.history.composed({ replica: identity, life: replica.lives }, cr, inputs, composition.children);
              return composition;
            },
            status: (...shown: Parameters<Operator['status']>) => {
              const [children, inputs, cr] = shown;
              const objects = Object.values({ ...children, ...inputs }).flat() as readonly (KubeObject | undefined)[];
              const there = objects.filter((each) => each !== undefined);
              world.history.shown({ replica: identity, life: replica.lives }, cr, there);
              return operator.status(...shown);
            },
          }));
        },
        cluster: world.user,
        connect: (life) => {
          const writer = { replica: identity, life };
          world.#editionsOfLives.set(idOf(writer), world.#editions.get(identity) ?? 'first');
          world.history.began(writer);
          return witnessed(world.user, writer, world.#witness, followers);
        },
        clock,
        random,
        identity,
        leaderElect,
        now: () => String(world.server.store.revision),
        // As in production, where a new process begins with what there is.
        historyLost() {
          world.history.lostHistory({ replica: identity, life: replica.lives });
          world.terminate(replica);
        },
        carriedOut: () => {},
        gaveUp: (call) => world.history.gaveUp({ replica: identity, life: replica.lives }, call),
        ...(rolloutLimit === undefined ? {} : { rolloutLimit }),
        fetch: world.seats.fetch((request) => world.history.asked({ replica: identity, life: replica.lives }, request)),
        room: seed % 2 === 0 ? fewAtHand : undefined,
      });
      replica.faults.observe((call, fate) => {
        if (fate) calm.befalls(fate);
        world.tally.called(index, call, fate);
        if (isWrite(call)) world.history.sent({ replica: identity, life: replica.lives }, call, fate);
      });
      return replica;
    };
    world.#replicas = ['one', 'two'].slice(0, replicas).map(make);
    await clock.advance(0);
    return world;
  }

  /** What runs in it when no version of the operators is being replaced by another. */
  get operators(): readonly Operator[] {
    return operatorsOf(this.schedule, this.#editions.get('one'));
  }

  /** Others may wait, for as long as one of their kind is not ready. */
  mayWait(kind: string): boolean {
    if (this.schedule.rolloutLimit === undefined) return false;
    return this.list(kind).some((cr) => conditionIn(cr)?.status !== 'True');
  }

  /** The definition of Sites takes less from now on, or all again. */
  async redefine(taken: Taken): Promise<void> {
    this.taken = taken;
    await redefine(this.user, taken);
  }

  /** Gems are defined from now on, or are no more. */
  async serve(isServed: boolean): Promise<void> {
    await serve(this.user, isServed);
  }

  /** True of a kind of which there may be objects. */
  isServed(kind: string): boolean {
    return kind !== 'Gem' || this.hasGems;
  }

  get hasGems(): boolean {
    const definitions = this.server.store.list('customresourcedefinitions.apiextensions.k8s.io');
    return definitions.some(({ metadata }) => metadata.name === Gem.crd().metadata.name);
  }

  backUp(): void {
    const { store } = this.server;
    const objects = store.resources.flatMap((resource) =>
      store.list(resource).map((each) => [resource, each] as const),
    );
    this.#backup = { revision: store.revision, objects };
    // What happens in a cluster beside: a restored server has not got to the versions of today before watches are back.
    const metadata = { name: 'beside', namespace: 'default', uid: 'beside', resourceVersion: '' };
    const other = { apiVersion: 'sim.example.com/v1', kind: 'Other', metadata } as unknown as KubeObject;
    for (let left = 200; left > 0; left--) store.put('others.sim.example.com', other);
  }

  /** The API server comes back with what it had then, and goes on from the version that it had got to. */
  restore(): void {
    if (!this.#backup) return;
    this.violationsBefore.push(...this.history.violations);
    this.server.stop();
    this.server = this.makeServer(this.#backup);
    this.history = this.begin(this.server, this.history);
    this.#wishes = this.#follow();
    this.calm.isStartled();
    for (const { faults } of this.#replicas) for (const kind of Object.keys(kinds)) faults.breakWatch(kind);
    // What only begins to be watched is of the server of before, too.
    this.#untilRestored.abort(new TransportError('connection reset'));
    this.#untilRestored = new AbortController();
  }

  /** What a writer is. */
  operatorsOf(writer: Writer): readonly Operator[] {
    return operatorsOf(this.schedule, this.#editionsOfLives.get(idOf(writer)));
  }

  /** A replica ends, and is another version of the operators from its next start on. */
  upgrade(to: 0 | 1, edition: Edition, how: 'kill' | 'stop'): void {
    const replica = this.#replicas[to];
    if (!replica) return;
    this.#editions.set(replica.identity, edition);
    if (how === 'kill') replica.crash();
    else this.terminate(replica);
  }

  get replicas(): readonly TestController[] {
    return this.#replicas;
  }

  /** Moves time on to `seconds` after the start. Whoever died meanwhile is started anew. */
  async advanceTo(
    seconds: number,
    restartSeconds: number,
    mood: keyof typeof lookMilliseconds = 'inTrouble',
  ): Promise<void> {
    const end = Math.round(seconds * 1000);
    while (this.clock.monotonic() < end) {
      this.#revive(restartSeconds);
      await this.clock.advance(Math.min(lookMilliseconds[mood], end - this.clock.monotonic()));
    }
    this.#revive(restartSeconds);
  }

  /** From now on all is well. */
  async recover(): Promise<void> {
    this.races.clear();
    this.seats.recover();
    // No replica is left behind by those who bring another version.
    const edition = this.#editions.get('one') ?? 'first';
    if ((this.#editions.get('two') ?? 'first') !== edition) this.upgrade(1, edition, 'stop');
    for (const replica of this.#replicas) {
      replica.faults.clear();
      this.#deafToLease.delete(replica.identity);
      await replica.resume();
    }
    this.calm.returns();
  }

  /** Somebody gives the Lease to another, or takes it away from all; by force, as with kubectl. */
  async seizeLease(how: 'take-lease' | 'delete-lease'): Promise<void> {
    const [lease] = this.server.store.list('leases.coordination.k8s.io');
    if (!lease) return;
    const target = placeOf(lease.metadata);
    const body = { spec: { holderIdentity: 'usurper' } };
    if (how === 'delete-lease') await this.user.delete(Lease, target);
    else await this.user.patch(Lease, target, { type: 'merge', body }, { fieldManager: 'somebody' });
  }

  /** There is another API server, which is not well, until the returned function is called. `told` hears of each watch where it leads. */
  sicken(to: number, step: SickStep, told: (isUnwell: boolean) => unknown = () => {}): () => void {
    const { identity, faults } = this.#replicas[to] as TestController;
    const { how, begun } = byChance(step, ({ kind }, isUnwell) => {
      told(isUnwell);
      if (isUnwell) this.tally.misled(to);
      if (kind !== 'Lease') return;
      if (isUnwell) this.#deafToLease.add(identity);
      else this.#deafToLease.delete(identity);
    });
    const heal =
      step.fault === 'behind'
        ? faults.lagServer(step.seconds, how)
        : step.fault === 'hang'
          ? faults.hangServer({ ...how, isLate: lateByChance(step) })
          : faults.cutOffServer({ ...how, code: step.code, afterSeconds: step.after });
    begun();
    return () => {
      if (step.fault === 'hang') this.history.thawed();
      heal();
      this.#deafToLease.delete(identity);
    };
  }

  /** From now on the clocks of its machine run so many times as fast as others do. */
  setClockRate(replica: TestController, rate: number): void {
    replica.setClockRate(rate);
    this.clocks.set(replica.identity, rate);
  }

  /** Asks a replica to end, as by SIGTERM. */
  terminate(replica: TestController): void {
    const ended = replica.stop();
    this.#stopping.add(ended);
    void ended.finally(() => this.#stopping.delete(ended));
  }

  readonly #witness: Witness = (writer, call) => {
    this.races.meet(writer.replica, call, 'before');
    const { returned, ended } = this.history.witness(writer, call);
    return {
      returned: () => {
        returned();
        this.races.meet(writer.replica, call, 'after');
      },
      ended,
    };
  };

  list(kind: string): readonly KubeObject[] {
    const { plural, apiVersion } = kindOf(kind);
    const group = apiVersion.includes('/') ? `.${apiVersion.split('/')[0]}` : '';
    return this.server.store.list(`${plural}${group}`);
  }

  /** Ends all, and says what is left over that should not be. */
  async stop(): Promise<readonly string[]> {
    const ends = [...this.#stopping, ...this.#replicas.map((replica) => replica.stop())];
    let areGone = false;
    const all = Promise.all(ends).then(() => {
      areGone = true;
    });
    await this.clock.advance(endMilliseconds);
    const found: string[] = [];
    if (areGone) await all;
    else found.push(`a replica does not end within ${endMilliseconds / 1000} s of being asked to`);
    for (const { identity, leftOver } of this.#replicas) {
      if (leftOver.timers > 0) found.push(`${identity} leaves ${leftOver.timers} timers behind`);
      if (leftOver.listeners > 0) found.push(`${identity} leaves ${leftOver.listeners} listeners behind`);
    }
    for (const replica of this.#replicas) replica.crash();
    this.server.stop();
    return found;
  }

  /** Nobody works any more, now or later. */
  #end(): void {
    this.#isOver = true;
    for (const replica of this.#replicas) replica.crash();
  }

  #revive(restartSeconds: number): void {
    if (this.#isOver) return;
    for (const replica of this.#replicas) {
      if (replica.isRunning || this.#restarting.has(replica)) continue;
      this.#restarting.add(replica);
      this.clock.after(restartSeconds * 1000, () => {
        this.#restarting.delete(replica);
        if (!this.#isOver) replica.restart();
      });
    }
  }
}
