/** Longer than most files: all that must never happen, and what it takes to notice. */

import type { Inputs } from '../../src/compose/reads.js';
import type { EmbeddedServer } from '../../src/embedded/embedded-server.js';
import type { Revision } from '../../src/embedded/object-store.js';
import type { Clock } from '../../src/kube/clock.js';
import type { Condition } from '../../src/kube/condition.js';
import type { KubeObject, Manifest } from '../../src/kube/manifest.js';
import { keyOf, placeOf, refOf, show } from '../../src/kube/object-ref.js';
import { type Call, isWrite, showCall } from '../../src/testing/call.js';
import type { Fate } from '../../src/testing/faults.js';
import { conditionIn } from '../condition-in.js';
import { Backslides, type Sight } from './backslides.js';
import type { Calm } from './calm.js';
import type { ClockRates } from './clock-rates.js';
import { wrongTimes } from './conditions.js';
import { EventHistory } from './event-history.js';
import { farOwnerOf, isHeld, isOnlyInventory, leftOf, ownerUidOf, removal } from './far.js';
import { FarHistory } from './far-history.js';
import { foreignFieldsOf } from './foreign-fields.js';
import { Leadership, type Sent } from './leadership.js';
import { allOperators } from './operators/all.js';
import { RestraintHistory } from './restraint-history.js';
import { RolloutHistory } from './rollout-history.js';
import type { Edition } from './schedule.js';
import type { SeatRequest } from './seats.js';
import { StatusHistory } from './status-history.js';
import { isOfDepot, isStock } from './truth.js';
import type { Witness, Writer } from './witnessed-cluster.js';

/** A write of a controller, as it reached the server. */
export interface WrittenCall extends Call {
  readonly at: number;
  readonly writer: Writer;
}

/** What a controller composed last for a custom resource. */
interface Composed {
  readonly number: number;
  readonly generation: number;
  readonly of: string;
  readonly children: readonly Manifest[];
}

/** An answer takes no longer than this on its way back, unless it is lost. */
const answerMilliseconds = 5_000;
/** Nobody has reason for so many writes in one moment: it would go on for ever, in a moment that never ends. */
const mostWritesAtOnce = 500;

const customKinds = new Set(allOperators.map(({ resource }) => resource.kind));

/**
 * Watches what controllers do to a cluster, write by write, and says what they must never do.
 *
 * **Assumes** that the server does a write before it returns, so that what changes meanwhile was changed by it.
 */
export class History {
  readonly violations: string[] = [];
  /** What succeeded, but for Leases. */
  readonly writes: WrittenCall[] = [];
  /** When an object changed last, by whomever; Leases and Events do not count. */
  lastChange = 0;
  readonly far: FarHistory;
  /** The uids of those for whom a seat was taken after they went, by whoever was robbed of the Lease and could not know yet. */
  readonly seatsBeyondRecall = new Set<string>();
  readonly #isRestored: boolean;
  readonly #events: EventHistory;
  readonly #restraints: RestraintHistory;
  readonly #rollout: RolloutHistory;
  /** By writer, when it was first heard of. */
  readonly #beginnings = new Map<string, number>();
  #writing: { readonly writer: Writer; readonly call: Call } | undefined;
  /** By uid, how custom resources began, those that are gone included. */
  readonly #customs = new Map<string, Revision>();
  readonly #living = new Set<string>();
  /** By uid of what controllers created, who did, and the composition that it was sent for, or one before. */
  readonly #ours = new Map<string, { readonly by: string; readonly composition: number }>();
  /** By writer, how many of its compositions were of something else than the one before. */
  readonly #compositions = new Map<string, number>();
  /** By writer and custom resource, the last of them, and what it was of. */
  readonly #composed = new Map<string, Composed>();
  /** By the uid of an owner, the children that it ever had. */
  readonly #had = new Map<string, Set<string>>();
  /** By writer and call, the earliest composition that a create was sent for and that has not arrived. */
  readonly #sentFor = new Map<string, number>();
  /** Children whose managed fields somebody reset: what is no longer desired since may be somebody's for all one can tell. */
  readonly disowned = new Set<string>();
  /** By writer, what it created and had an answer for. */
  readonly #created = new Map<
    string,
    { readonly uid: string; readonly owner: string | undefined; readonly at: number }
  >();
  readonly #unanswered = new Set<string>();
  /** By child and owner, and by writer, owner and child, the latest generation of the custom resource that was written to it. */
  readonly #generations = new Map<string, number>();
  /** By writer and call, when it was sent last. */
  readonly #sent = new Map<string, Sent>();
  /** By object, who changed it last and knows; absent for somebody, and for whoever has no answer. */
  readonly #lastWriter = new Map<string, string>();
  /** By writer and call, those whose answer is late, if there is one. */
  readonly #doubtful = new Set<string>();
  /** Since when a writer was asked to leave an object alone, and for how long by its own clock. `spare`: but for once. */
  readonly #waits = new Map<string, { readonly since: number; readonly milliseconds: number; spare: boolean }>();
  readonly #backslides = new Backslides();
  readonly #statuses = new StatusHistory();
  #moment = { at: -1, writes: 0 };
  /** When a server that hung went on last. */
  #thawedAt = -1;
  readonly #leadership: Leadership;

  constructor(
    private readonly server: EmbeddedServer,
    private readonly clock: Clock,
    private readonly options: {
      readonly hasLease: boolean;
      /** Nothing goes wrong in it. */
      readonly isUndisturbed: boolean;
      /** The kinds of which somebody is given lists of the past. */
      readonly listedOfPast: ReadonlySet<string>;
      /** Nobody sets the clock of a machine. */
      readonly hasTrueClocks: boolean;
      readonly calm: Calm;
      /** True while a replica's watch of the Lease is open. */
      follows(replica: string): boolean;
      readonly clocks: ClockRates;
      endless(): void;
      /** Which version of the operators a writer is, by its name and life. */
      editionOf(id: string): Edition;
      /** What a custom resource desires by what the server has, as `Kind/namespace/name`, if it is composed by this writer. */
      desiredBy(cr: KubeObject, by: Writer): ReadonlySet<string>;
      /** How a child of a custom resource is, if it is composed by this writer. */
      sightOf(cr: KubeObject, child: KubeObject, by: Writer): Sight | undefined;
      readonly rolloutLimit: number | undefined;
      /** Whether its children are as a writer desires them. */
      isWell(cr: KubeObject, by: string): boolean;
      /** Whether they were as any version of the operators desires them, but the writer's own, before the last write. */
      wasWell(cr: KubeObject, by: string, child: KubeObject, before: KubeObject | undefined): boolean;
      /** What its author's code says of it by the children that the server has, and these. */
      statusBy(
        cr: KubeObject,
        by: Writer,
      ): { readonly status: object; readonly children: readonly KubeObject[] } | undefined;
    },
    /** What was before the server was restored. */
    before?: History,
  ) {
    this.#leadership = new Leadership({ clock, ...options });
    this.far = new FarHistory(server.store);
    this.#restraints = new RestraintHistory(options.isUndisturbed);
    this.#events = new EventHistory(options.hasTrueClocks);
    const { rolloutLimit: limit, isWell } = options;
    this.#rollout = new RolloutHistory({ limit, isWell, customOf: (uid) => this.#customOf(uid) });
    server.store.listen((revision) => this.#changed(revision));
    this.#isRestored = before !== undefined;
    if (before) this.#goesOnFrom(before);
  }

  /** What the server has by a backup was there before, and what was made then is ours. */
  #goesOnFrom(before: History): void {
    for (const [uid] of before.#ours) this.#ours.set(uid, { by: 'somebody before', composition: -1 });
    for (const [uid, revision] of before.#customs) this.#customs.set(uid, revision);
    this.#leadership.goesOnFrom(before.#leadership);
    for (const [call, sent] of before.#sent) this.#sent.set(call, sent);
    for (const name of before.disowned) this.disowned.add(name);
    const { store } = this.server;
    for (const resource of store.resources) {
      for (const object of store.list(resource)) {
        const revision = { type: 'ADDED', resource, object, revision: store.revision } as const;
        if (resource === 'leases.coordination.k8s.io') this.#leadership.changed(revision, undefined);
        else this.#changed(revision);
      }
    }
  }

  /** To be told of each write when it reaches the server. */
  readonly witness: Witness = (writer, call) => {
    const at = this.clock.monotonic();
    if (call.kind !== 'Lease') this.#checkLease(writer, call);
    if (call.verb === 'create') this.#checkCreate(writer, call);
    this.#writing = { writer, call };
    return {
      // What comes later than the call itself is not its doing.
      returned: () => {
        this.#writing = undefined;
      },
      ended: (error) => {
        if (error === undefined && call.kind !== 'Lease') this.writes.push({ ...call, at, writer });
      },
    };
  };

  /** To be told of each request to the service outside, before that does what it is asked to. */
  asked(writer: Writer, { method, key, seat, before }: SeatRequest): void {
    const sent = { at: this.clock.monotonic(), isHolder: this.#leadership.holds(writer) };
    const { hasLease } = this.options;
    const wrong = hasLease ? this.#leadership.violationOf(writer, sent) : undefined;
    if (wrong !== undefined) this.#violated(`${idOf(writer)} ${wrong}: ${method} of the seat of ${key}`);
    if (!seat) return;
    const custom = this.#customOf(key);
    if (hasLease && this.#leadership.isUnaware(writer, sent)) {
      if (!custom) this.seatsBeyondRecall.add(key);
      return;
    }
    if (!custom || !isHeld(custom))
      this.#violated(`${idOf(writer)} takes a seat for ${key}, and nothing keeps that until it is given back`);
    if (before && seat.generation < before.generation)
      this.#violated(`${idOf(writer)} takes a seat of generation ${seat.generation} after ${before.generation}`);
  }

  /** To be told of who takes the server for one that has lost what it had. */
  lostHistory(writer: Writer): void {
    if (!this.#isRestored) this.#violated(`${idOf(writer)} takes the server for one that was restored from a backup`);
  }

  /** To be told of each call before it is sent. */
  sent(writer: Writer, call: Call, fate: Fate | undefined): void {
    if (!isWrite(call) || call.kind === 'Lease') return;
    const key = `${idOf(writer)} ${showCall(call)}`;
    const now = this.clock.monotonic();
    this.#sent.set(key, { at: now, isHolder: this.#leadership.holds(writer) });
    if (call.kind === 'Event') return;
    this.#countMoment(writer, call, now);
    const wait = this.#waits.get(key);
    const isTooSoon = wait !== undefined && this.options.clocks.passed(writer.replica, wait.since) < wait.milliseconds;
    if (isTooSoon && wait.spare) wait.spare = false;
    else if (isTooSoon && !this.#isContended(idOf(writer), call)) {
      this.#violated(`${idOf(writer)} did not wait as long as the server said before ${showCall(call)}`);
    }
    if (fate?.type === 'refuse' && fate.retryAfterSeconds !== undefined) {
      // Whose inventory is refused says so in the same status, by another manager, and ends its round with that.
      const spare =
        ['Tour', 'Depot', 'Vault', 'Review'].includes(call.kind) && call.subresource === 'status' && !isTooSoon;
      this.#waits.set(key, { since: now, milliseconds: fate.retryAfterSeconds * 1000, spare });
    }
    if (call.verb === 'create' && !this.#sentFor.has(key)) {
      this.#sentFor.set(key, this.#compositions.get(idOf(writer)) ?? 0);
    }
    const isLost = (fate?.type === 'lose' || fate?.type === 'crash') && fate.when === 'after';
    const isDoubtful = isLost || fate?.type === 'delay';
    this.#doubtful.delete(key);
    if (!isDoubtful) return;
    this.#doubtful.add(key);
    this.#unanswered.add(key);
  }

  /** To be told of each call whose sender did not wait for the answer any longer: with little of the Lease left, not long. */
  gaveUp(writer: Writer, call: Call): void {
    if (!isWrite(call) || call.kind === 'Event') return;
    const key = `${idOf(writer)} ${showCall(call)}`;
    this.#doubtful.add(key);
    this.#lastWriter.delete(nameOfCall(call));
    // Nor did it hear how long it was asked to wait.
    this.#waits.delete(key);
    if (call.verb !== 'create') return;
    const created = this.#created.get(key);
    const hasArrived = created !== undefined && created.at >= (this.#sent.get(key)?.at ?? 0);
    this.#created.delete(key);
    // It may be on its way still, and what was created is one from before.
    if (!hasArrived) this.#unanswered.add(key);
  }

  /** To be told what a controller composes, which is all that it knows then. */
  composed(writer: Writer, cr: KubeObject, inputs: Inputs, children: readonly Manifest[]): void {
    const { metadata } = cr;
    const by = idOf(writer);
    this.#restraints.composed(by, cr, this.clock.now());
    this.#statuses.composed(by, cr);
    const key = `${by} ${metadata.uid}`;
    const before = this.#composed.get(key);
    const { generation = 0 } = metadata;
    if (before && generation < before.generation) {
      this.#violated(
        `${by} composed generation ${generation} of ${metadata.name} after generation ${before.generation}`,
      );
    }
    const of = JSON.stringify([generation, inputs]);
    if (of === before?.of) return;
    const number = (this.#compositions.get(by) ?? 0) + 1;
    this.#compositions.set(by, number);
    this.#composed.set(key, { number, generation, of, children });
  }

  /** To be told what an author's code is shown for a status. */
  shown(writer: Writer, cr: KubeObject, objects: readonly KubeObject[]): void {
    const { listedOfPast } = this.options;
    // What is read is vouched for by lists, which some servers of a simulation answer with the past.
    const known = objects.filter((each) => !listedOfPast.has(each.kind) || ownerUidOf(each) === cr.metadata.uid);
    this.#statuses.shown(idOf(writer), cr, known);
  }

  #countMoment(writer: Writer, call: Call, at: number): void {
    this.#moment = this.#moment.at === at ? { at, writes: this.#moment.writes + 1 } : { at, writes: 1 };
    if (this.#moment.writes !== mostWritesAtOnce) return;
    this.#violated(`${idOf(writer)} writes without end, last ${showCall(call)}`);
    this.options.endless();
  }

  /** A replica stands still, so that it may take answers for lost that are on their way. */
  stoodStill(replica: string): void {
    const since = this.clock.monotonic() - answerMilliseconds;
    for (const [key, { at }] of this.#created)
      if (key.startsWith(`${replica}#`) && at >= since) this.#created.delete(key);
  }

  /** All machines stood still, the server's too, and with them what was on its way. */
  leapt(): void {
    this.#leadership.leapt();
  }

  /** A server that hung goes on, and does what it was asked, late as what was on its way while all machines stood still. */
  thawed(): void {
    this.#thawedAt = this.clock.monotonic();
    this.#leadership.leapt();
  }

  #checkLease(writer: Writer, call: Call): void {
    if (!this.options.hasLease) return;
    const wrong = this.#leadership.violationOf(writer, this.#sent.get(`${idOf(writer)} ${showCall(call)}`));
    if (wrong !== undefined) this.#violated(`${idOf(writer)} ${wrong}: ${showCall(call)}`);
  }

  #checkCreate(writer: Writer, call: Call): void {
    // To whoever lived before, and has not noticed yet, a version that is given out anew is one that he has seen.
    if (this.#isRestored) return;
    const key = `${idOf(writer)} ${showCall(call)}`;
    const before = this.#created.get(key);
    // The child of a custom resource that is gone is about to go, too, and in the way of nobody who has to know.
    const isOrphan = before?.owner !== undefined && !this.#living.has(before.owner);
    if (before && !isOrphan && this.#living.has(before.uid) && !this.#isContended(idOf(writer), call)) {
      this.#violated(`${idOf(writer)} created a second time what it had created, and what lives: ${showCall(call)}`);
    }
  }

  /** More than one custom resource wants what has this name, as a writer composed them last. */
  #isContended(by: string, call: Call): boolean {
    const name = nameOfCall(call);
    const mine = [...this.#composed].filter(([key]) => key.startsWith(`${by} `));
    return mine.filter(([, { children }]) => children.some((child) => show(refOf(child)) === name)).length > 1;
  }

  #changed(revision: Revision): void {
    const { type, resource, object, before } = revision;
    const at = this.clock.monotonic();
    const { uid } = object.metadata;
    if (type === 'ADDED') this.#living.add(uid);
    else if (type === 'DELETED') this.#living.delete(uid);
    this.far.heard(revision);
    if (customKinds.has(object.kind)) this.#restraints.heard(object, at, this.clock.now());
    const owner = ownerUidOf(object);
    if (type !== 'DELETED' && owner !== undefined) this.#hadOf(owner).add(show(refOf(object)));
    if (type === 'ADDED' && customKinds.has(object.kind)) this.#customs.set(uid, revision);
    if (resource === 'leases.coordination.k8s.io') {
      const wrong = this.#leadership.changed(revision, this.#writing?.writer);
      if (wrong === undefined) return;
      this.#violated(wrong);
      this.options.endless();
      return;
    }
    if (object.kind === 'Event' || customKinds.has(object.kind)) {
      const by = idOf(this.#writing?.writer ?? { replica: 'somebody', life: 0 });
      const isNew = object.kind === 'Event' && type === 'ADDED';
      // What a backup has was told by whoever was there before.
      const isTold = object.kind === 'Event' && this.#writing !== undefined;
      const wrong = isTold ? this.#events.told(by, object, isNew) : undefined;
      for (const each of [wrong, this.#events.leaked(object)]) if (each !== undefined) this.#violated(`${by} ${each}`);
    }
    if (object.kind === 'Event') return;
    this.#events.secretChanged(object);
    this.lastChange = at;
    if (before?.metadata.managedFields?.length && !object.metadata.managedFields?.length) {
      this.disowned.add(nameOf(object));
    }
    if (!this.#writing) {
      this.#backslides.asked();
      this.#rollout.asked(customKinds.has(object.kind) ? uid : owner, at);
      this.#lastWriter.delete(nameOf(object));
      return;
    }
    const { writer, call } = this.#writing;
    const isEdit = before !== undefined && before.metadata.generation !== object.metadata.generation;
    if (customKinds.has(object.kind) && isEdit) this.#rollout.asked(uid, at);
    // A patch only makes way for the apply that follows.
    const isSaid = call.subresource === 'status' && call.verb !== 'patch';
    if (isSaid && before) {
      const { hasTrueClocks, calm } = this.options;
      // A status may take two calls, of which the first may take time.
      const isNow = hasTrueClocks && calm.isNow && this.#isPrompt(writer, call, at) && !isOnlyInventory(before, object);
      for (const wrong of wrongTimes(before, object, isNow ? this.clock.now() : undefined))
        this.#violated(`${idOf(writer)} says of ${nameOf(object)} amiss: ${wrong}`);
    }
    if (isSaid && !isOnlyInventory(before, object)) {
      this.#checkStatus(writer, object, before);
      this.#checkStatusBackslide(writer, call, object, at);
    }
    if (this.#doubtful.has(`${idOf(writer)} ${showCall(call)}`)) this.#lastWriter.delete(nameOf(object));
    else this.#lastWriter.set(nameOf(object), idOf(writer));
    if (type === 'ADDED') this.#added(writer, call, object, at);
    else if (before) this.#touched(writer, call, type, object, before);
    this.#checkGeneration(writer, call, object, before, at);
    if (type !== 'DELETED') this.#checkBackslide(writer, call, object, before, at);
    this.#checkRestraint(writer, call, before ?? object, at);
    this.#checkRollout(writer, call, type, object, before);
    if (call.verb !== 'delete' && type !== 'DELETED') this.#checkFar(writer, call, type, object, at);
  }

  /** What a controller says of children that nobody changed after it is what it wrote to them. */
  #checkStatus(writer: Writer, cr: KubeObject, before: KubeObject | undefined): void {
    // Of one that goes only that is said, of one that lacks a kind, or what its watch shows, only that, and of a round that takes
    // long, while it makes its children, only that it is begun.
    if (!this.options.calm.isNow || cr.metadata.deletionTimestamp !== undefined || saysNoMore(cr)) return;
    const { status: said = {} } = cr as { status?: Readonly<Record<string, unknown>> };
    const expected =
      said['observedGeneration'] === cr.metadata.generation ? this.options.statusBy(cr, writer) : undefined;
    if (!expected?.children.every((child) => this.#lastWriter.get(nameOf(child)) === idOf(writer))) return;
    const was = (before as { status?: Readonly<Record<string, unknown>> } | undefined)?.status ?? {};
    for (const [field, value] of Object.entries(expected.status)) {
      if (value === undefined || JSON.stringify(said[field]) === JSON.stringify(value)) continue;
      // By a store that is late, or of which nobody could be asked, an author says nothing: what was said before stays.
      if (saysUnsure(cr) && JSON.stringify(said[field]) === JSON.stringify(was[field])) continue;
      this.#violated(
        `${idOf(writer)} says of ${nameOf(cr)} ${field} ${JSON.stringify(said[field])}, and itself had just made it ${JSON.stringify(value)}`,
      );
    }
  }

  /** Nobody says what follows from an older state of something than was gone by before; exceptions as of children. */
  #checkStatusBackslide(writer: Writer, call: Call, cr: KubeObject, at: number): void {
    if (this.#isRestored || !this.#isPrompt(writer, call, at) || this.#isUnaware(writer, call)) return;
    const of = this.#statuses.wrote(idOf(writer), cr);
    if (of !== undefined)
      this.#violated(
        `${idOf(writer)} says of ${nameOf(cr)} what follows from an older state of ${of} than was said before`,
      );
  }

  #hadOf(owner: string): Set<string> {
    const had = this.#had.get(owner) ?? new Set();
    this.#had.set(owner, had);
    return had;
  }

  #added(writer: Writer, call: Call, object: KubeObject, at: number): void {
    const key = `${idOf(writer)} ${showCall(call)}`;
    const owner = ownerUidOf(object);
    if (call.verb === 'create' && !this.#unanswered.delete(key))
      this.#created.set(key, { uid: object.metadata.uid, owner, at });
    this.#ours.set(object.metadata.uid, { by: idOf(writer), composition: this.#sentFor.get(key) ?? 0 });
    this.#sentFor.delete(key);
    if (owner === undefined || !this.#customs.has(owner)) {
      this.#violated(`${idOf(writer)} created ${nameOf(object)}, which no custom resource owns`);
    }
  }

  /** Whoever changes or deletes an object has to own it, and to leave alone what others put there. */
  #touched(writer: Writer, call: Call, type: Revision['type'], object: KubeObject, before: KubeObject): void {
    if (call.subresource === 'status' && customKinds.has(object.kind)) return;
    const owner = ownerUidOf(before);
    const isDelete = call.verb === 'delete';
    // Whose owner reference somebody removed is still what we made, and may be taken back.
    const isDisowned =
      owner === undefined && (!isDelete || this.#isRemade(before)) && this.#ours.has(before.metadata.uid);
    // Nobody owns a custom resource of a user; all that a controller does to it is to hold it, and to let it go.
    const isLetGo = type === 'DELETED' || !isHeld(object);
    const isHold = call.verb === 'patch' && customKinds.has(object.kind) && isHeld(before) === isLetGo;
    const heir = ownerUidOf(object);
    // A Depot takes what is nobody's, and what others wrote there first.
    const isAdoption = !isDelete && owner === undefined && isStock(before);
    if (owner !== undefined && heir !== undefined && owner !== heir && this.#customOf(owner))
      this.#violated(`${idOf(writer)} took ${nameOf(before)} from a custom resource that is there`);
    if (!isHold && !isDisowned && !isAdoption && (owner === undefined || !this.#customs.has(owner))) {
      const what = isDelete ? 'deleted' : 'changed';
      this.#violated(`${idOf(writer)} ${what} ${nameOf(before)}, which is not ours`);
      return;
    }
    const wrong = isHold && isLetGo ? this.far.released(object) : undefined;
    if (wrong !== undefined) this.#violated(`${idOf(writer)} ${wrong}`);
    if (isDelete) this.#checkDelete(writer, before);
    else if (type === 'MODIFIED') {
      const [was, is] = [foreignFieldsOf(before), foreignFieldsOf(object)];
      const lost = Object.keys(was).filter((field) => was[field] !== is[field]);
      if (lost.length > 0) this.#violated(`${idOf(writer)} took ${lost.join(', ')} of others from ${nameOf(before)}`);
    }
  }

  /** True of what a controller made, whatever says whose it is. */
  isOurs({ metadata }: KubeObject): boolean {
    return this.#ours.has(metadata.uid);
  }

  /** It cannot be changed to what a Depot desires, as it was composed last. */
  #isRemade(child: KubeObject): boolean {
    if (child.kind !== 'RoleBinding') return false;
    return [...this.#composed.values()].some(({ children }) => children.some((each) => isOther(each, child)));
  }

  /** A child that was made for the custom resource as it is now must not be pruned. */
  #checkDelete(writer: Writer, child: KubeObject): void {
    const made = this.#ours.get(child.metadata.uid);
    const owner = ownerUidOf(child) ?? '';
    const custom = this.#customOf(owner);
    const isEnding = custom?.metadata.deletionTimestamp !== undefined;
    // By what a late store says something may go that the server has been told to keep since.
    const said = custom && this.options.calm.isNow ? leftOf(custom) : undefined;
    const kept = said ?? child.metadata.annotations?.[removal];
    if (kept === 'orphan' || (kept === 'retain' && !isEnding))
      this.#violated(`${idOf(writer)} deleted ${nameOf(child)}, which is to stay (${kept})`);
    // What is far goes before its custom resource does, whatever that desires.
    if (custom?.metadata.deletionTimestamp !== undefined && isHeld(custom)) return;
    const composed = this.#composed.get(`${idOf(writer)} ${owner}`);
    const had = this.#hadOf(owner);
    // What cannot be changed is made anew before others are made.
    const isRemade = this.#isRemade(child);
    // Nobody waits for a kind that there may be not.
    const isAwaited = (each: Manifest) => each.kind !== 'Gem' && !had.has(show(refOf(each)));
    const unmade = isRemade ? undefined : composed?.children.find(isAwaited);
    if (unmade) this.#violated(`${idOf(writer)} deleted ${nameOf(child)}, and has not made ${show(refOf(unmade))}`);
    // Of one that is made anew although somebody took from it whose it is, only its name tells.
    if (owner !== '' && made?.by === idOf(writer) && (composed?.number ?? 0) <= made.composition) {
      this.#violated(`${idOf(writer)} deleted ${nameOf(child)}, which it had made, though it knows of no change since`);
    }
    const generation = generationIn(child);
    if (!custom) return;
    if (!isRemade && this.options.calm.isNow && this.options.desiredBy(custom, writer).has(nameOf(child)))
      this.#violated(`${idOf(writer)} deleted ${nameOf(child)}, which is desired by what the server has`);
    if (generation === undefined || custom.metadata.generation !== generation) return;
    // Who began before the server was restored may have made it for the generation that was the same then.
    if (this.#isRestored && made?.by !== idOf(writer)) return;
    // Another version of the operators wants other children for the same.
    if (made && this.options.editionOf(made.by) !== this.options.editionOf(idOf(writer))) return;
    this.#violated(
      `${idOf(writer)} deleted ${nameOf(child)}, which it had made for generation ${generation}, the present one`,
    );
  }

  /**
   * No older edit is written over a newer one, whoever wrote that; but for what was on its way for long, and by whoever cannot
   * know yet that another leads.
   */
  #checkGeneration(writer: Writer, call: Call, object: KubeObject, before: KubeObject | undefined, at: number): void {
    const generation = generationIn(object);
    const owner = ownerUidOf(object);
    // Whose fields are told anew has what it had.
    if (generation === undefined || owner === undefined || (before && generationIn(before) === generation)) return;
    // An edit that the backup does not have: who heard of it before takes it back, and rightly.
    if (this.#isRestored && generation > (this.#customOf(owner)?.metadata.generation ?? 0)) return;
    const isPrompt = this.#isPrompt(writer, call, at) && !this.#isUnaware(writer, call);
    // Whoever makes anew what another made, and what is gone, knows nothing of the other's edit.
    // And a child that outlives its owner has edits of another.
    for (const key of [`${object.metadata.uid} of ${owner}`, `${idOf(writer)} ${owner} ${keyOf(refOf(object))}`]) {
      const latest = this.#generations.get(key) ?? 0;
      this.#generations.set(key, Math.max(latest, generation));
      if (generation >= latest || !isPrompt) continue;
      this.#violated(`${idOf(writer)} wrote generation ${generation} to ${nameOf(object)} after generation ${latest}`);
      return;
    }
  }

  /** Nobody goes back to what followed from something older than what was gone by before; exceptions as of edits. */
  #checkBackslide(writer: Writer, call: Call, object: KubeObject, before: KubeObject | undefined, at: number): void {
    const custom = this.#customOf(ownerUidOf(object) ?? '');
    const sight = custom && call.subresource === undefined ? this.options.sightOf(custom, object, writer) : undefined;
    if (!sight) return;
    const isAware = !this.#isRestored && this.#isPrompt(writer, call, at) && !this.#isUnaware(writer, call);
    if (this.#backslides.wrote(idOf(writer), before, object, sight, call.verb === 'patch') && isAware)
      this.#violated(`${idOf(writer)} made of ${nameOf(object)}, which was right, what follows from something older`);
  }

  /** What no owner reference reaches has to be found again, and to be where somebody accepted it. */
  #checkFar(writer: Writer, call: Call, type: Revision['type'], child: KubeObject, at: number): void {
    const owner = farOwnerOf(child);
    // What may outlive its owner beside it is bound in the same way, and that of a Depot is held by nothing.
    if (owner === undefined || isOfDepot(child)) return;
    const wrong = this.far.wrote({
      child,
      isNew: type === 'ADDED',
      isPrompt: this.#isPrompt(writer, call, at),
      isThawed: this.#thawedAt === at,
      home: this.#customs.get(owner)?.object.metadata.namespace,
      custom: this.#customOf(owner),
    });
    if (wrong !== undefined) this.#violated(`${idOf(writer)} wrote ${nameOf(child)}, ${wrong}`);
  }

  /** Nobody writes to a child whose owner is suspended, or of which drift is only reported, or ignored. */
  #checkRestraint(writer: Writer, call: Call, child: KubeObject, at: number): void {
    const custom = this.#customOf(ownerUidOf(child) ?? '');
    // What a child says of itself, its own controller writes.
    if (!custom || call.subresource !== undefined) return;
    const isPrompt = this.#isPrompt(writer, call, at);
    const wrong = this.#restraints.wrote(idOf(writer), custom, { at, now: this.clock.now(), isPrompt });
    if (wrong !== undefined) this.#violated(`${idOf(writer)} wrote ${nameOf(child)}, ${wrong}`);
  }

  /** No more custom resources than are to be at once are changed for nothing but that the operators are another version. */
  #checkRollout(
    writer: Writer,
    call: Call,
    type: Revision['type'],
    child: KubeObject,
    before: KubeObject | undefined,
  ): void {
    const by = idOf(writer);
    const custom = this.#customOf(ownerUidOf(before ?? child) ?? '');
    if (!custom || call.subresource !== undefined || !this.#rollout.isFirst(by, custom.metadata.uid)) return;
    const wasWell = this.options.wasWell(custom, by, child, type === 'ADDED' ? undefined : (before ?? child));
    const since = this.#beginnings.get(by) ?? 0;
    const wrong = this.#rollout.wrote({ by, since, custom, wasWell });
    // By a store that is late children may look as they are to be, and so do the custom resources before it.
    if (wrong !== undefined && this.options.calm.isNow) this.#violated(`${by} ${wrong}`);
  }

  /** To be told when a process begins. */
  began(writer: Writer): void {
    this.#beginnings.set(idOf(writer), this.clock.monotonic());
  }

  /** True of a call that reached the server in the moment in which it was sent. */
  #isPrompt(writer: Writer, call: Call, at: number): boolean {
    return this.#sent.get(`${idOf(writer)} ${showCall(call)}`)?.at === at;
  }

  /** True of a call of somebody who cannot know yet that another leads. */
  #isUnaware(writer: Writer, call: Call): boolean {
    const sent = this.#sent.get(`${idOf(writer)} ${showCall(call)}`);
    return this.options.hasLease && this.#leadership.isUnaware(writer, sent);
  }

  /** A custom resource as the server has it, unless it is gone. */
  #customOf(uid: string): KubeObject | undefined {
    const made = this.#customs.get(uid);
    if (!made) return undefined;
    const { namespace, name } = made.object.metadata;
    const custom = this.server.store.get(made.resource, namespace, name);
    return custom?.metadata.uid === uid ? custom : undefined;
  }

  #violated(what: string): void {
    this.violations.push(`${(this.clock.monotonic() / 1000).toFixed(3)} s: ${what}`);
  }
}

export function idOf({ replica, life }: Writer): string {
  return `${replica}#${life}`;
}

function nameOf(object: KubeObject): string {
  return show(refOf(object));
}

function nameOfCall({ kind, name = '', namespace }: Call): string {
  return show({ kind, ...placeOf({ name, namespace }) });
}

/** It is there, and something of it cannot be as it is desired. */
function isOther(desired: Manifest, found: KubeObject): boolean {
  if (keyOf(refOf(desired)) !== keyOf(refOf(found))) return false;
  return (
    JSON.stringify(Object.entries(desired['roleRef'] ?? {}).sort()) !==
    JSON.stringify(Object.entries(found['roleRef'] ?? {}).sort())
  );
}

function saysNoMore(cr: KubeObject): boolean {
  const { status } = cr as { status?: { readonly conditions?: readonly Condition[] } };
  const isSoFar = /^waits for the watch of |children have been looked at$|has not answered yet$/;
  return (status?.conditions ?? []).some(
    ({ reason, message = '' }) => reason === 'KindNotServed' || isSoFar.test(message),
  );
}

function saysUnsure(cr: KubeObject): boolean {
  const ready = conditionIn(cr);
  // Of a kind that the server does not know just now nobody can be asked either.
  const isUnsure = /cannot be fulfilled|already exists|^list \S+ failed|could not find the requested resource$/;
  return ready?.status === 'False' && isUnsure.test(ready.message ?? '');
}

/** Which edit of its owner a child says that it is of. */
function generationIn(object: KubeObject): number | undefined {
  const { data, spec } = object as { data?: Readonly<Record<string, string>>; spec?: { generation?: string } };
  if (object.kind === 'Gem') return Number(spec?.generation) || undefined;
  const text = data?.['generation'];
  if (text === undefined) return undefined;
  const number = Number(object.kind === 'Secret' ? Buffer.from(text, 'base64').toString('utf8') : text);
  return Number.isInteger(number) ? number : undefined;
}
