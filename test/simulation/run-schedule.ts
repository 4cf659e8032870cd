/** Longer than most files: a schedule is played from its first step to its last verdict in one place. */
import { ApiError } from '../../src/client/api-error.js';
import { OperatorError } from '../../src/kube/errors.js';
import type { KubeObject, Manifest } from '../../src/kube/manifest.js';
import { showCall } from '../../src/testing/call.js';
import type { TestController } from '../../src/testing/test-controller.js';
import { surpriseTheDeaf } from './deafness.js';
import { Dice } from './dice.js';
import { differencesOf, type EndState, endStateOf } from './end-state.js';
import { farOwnerOf, noteOf, notesOf } from './far.js';
import { idOf } from './history.js';
import { kindOf } from './kinds.js';
import { isFoughtOver, lateOnes, promptSeconds, surprise } from './promptness.js';
import { endOf, type FaultStep, type Schedule, type WorkloadStep } from './schedule.js';
import type { Befallen } from './tally.js';
import { untruths } from './truth.js';
import { World } from './world.js';

/**
 * At rest is a cluster in which nothing changed for so long, and as long again as things went wrong: whoever backed off
 * meanwhile waits no longer than that, and a watch that says nothing is noticed.
 */
const quietSeconds = 170;
/** How long after the last fault something may still be put right: back-off, leases, watches that died in silence. */
const recoverySeconds = 240;
/** How long at rest nothing may be written. In one history of many, watches end and begin anew meanwhile. */
const restSeconds = { short: 60, long: 660 };
const oneInLong = 5;
/** What two replicas do meanwhile is to renew a Lease, over and over, which costs most of the time of such a history. */
const oneInLongOfTwo = 20;
/** No longer than this may anybody say that a fight goes on. */
const longestFightSeconds = 2 * 3600;

export interface Ran {
  /** What must never happen, and did. */
  readonly violations: readonly string[];
  readonly end: EndState;
  /** The names of objects whose managed fields were reset. */
  readonly disowned: ReadonlySet<string>;
  readonly writes: number;
  /** Seconds of the cluster's time. */
  readonly seconds: number;
  readonly faults: Befallen;
}

/** The history of a schedule in which nothing goes wrong. */
export function undisturbed(schedule: Schedule): Schedule {
  const { rolloutLimit: _, deafness: __, ...rest } = schedule;
  return { ...rest, replicas: 1, restartSeconds: 0.1, faults: [] };
}

/** Makes one history. `expected` is what came of the undisturbed one. */
export async function runSchedule(schedule: Schedule, expected?: Pick<Ran, 'end' | 'disowned'>): Promise<Ran> {
  const world = await World.start(schedule);
  const { clock } = world;
  const violations = new Set<string>();
  for (const late of await play(world, schedule)) violations.add(late);
  const { history } = world;

  await world.recover();
  const faults = world.tally.all;
  const faultsEnded = clock.monotonic() / 1000;
  const longestWait = faultsEnded * 1.2;
  const quiet = quietSeconds + longestWait;
  const fightsEnded = await rest(world, schedule, quiet, faultsEnded + longestWait + recoverySeconds + quiet);
  const late = history.lastChange / 1000 - Math.max(faultsEnded, fightsEnded);
  if (late > longestWait + recoverySeconds) {
    violations.add(`is not at rest ${late.toFixed(0)} s after the last fault; last: ${lastWrites(world)}`);
  }
  // Of what is tidied away nobody can tell afterwards whether it should have been there.
  for (const untruth of untruths(world)) violations.add(`before all is tidied up, ${untruth}`);
  const wasUntidy = await tidyUp(world);
  if (wasUntidy) await rest(world, schedule, quietSeconds, clock.monotonic() / 1000 + recoverySeconds + quietSeconds);

  const before = history.writes.length;
  const isLong = schedule.seed % (schedule.replicas === 2 ? oneInLongOfTwo : oneInLong) === 0;
  const restsFor = isLong ? restSeconds.long : restSeconds.short;
  await world.advanceTo(clock.monotonic() / 1000 + restsFor, schedule.restartSeconds, 'atRest');
  for (const write of history.writes.slice(before)) {
    violations.add(`${(write.at / 1000).toFixed(3)} s: ${idOf(write.writer)} wrote at rest: ${showCall(write)}`);
  }
  for (const untruth of untruths(world)) violations.add(untruth);
  for (const error of internalErrors(world)) violations.add(error);
  const end = endStateOf(world);
  if (expected && !world.operators.some(({ resource }) => world.mayWait(resource.kind))) {
    const disowned = new Set([...expected.disowned, ...history.disowned]);
    for (const difference of differencesOf(expected.end, end, disowned)) violations.add(difference);
  }
  for (const late of await surpriseTheDeaf(world, schedule)) violations.add(late);
  for (const late of await surprise(world, schedule)) violations.add(late);
  const seconds = clock.monotonic() / 1000;
  for (const left of await world.stop()) violations.add(left);
  return {
    violations: [...world.violationsBefore, ...history.violations, ...violations],
    end,
    disowned: history.disowned,
    writes: history.writes.length,
    seconds,
    faults,
  };
}

/** What a controller takes for a mistake of its own. */
function internalErrors({ replicas }: World): string[] {
  return replicas.flatMap(({ log }) =>
    log
      .flatMap(({ data }) => (data['error'] instanceof Error ? [data['error']] : []))
      .map((error) => `an internal error: ${String(error)}`),
  );
}

function lastWrites({ history }: World): string {
  return history.writes
    .slice(-3)
    .map((write) => `${(write.at / 1000).toFixed(3)} s ${showCall(write)}`)
    .join(', ');
}

/** Everything in its time. Where nothing goes wrong, each change is followed at once by all that has to follow: returns what is not. */
async function play(world: World, schedule: Schedule): Promise<readonly string[]> {
  const late: string[] = [];
  const moments = [
    ...schedule.workload.map((step) => ({ at: step.at, act: () => work(world, step) })),
    ...schedule.faults.flatMap((step) => {
      let end: (() => void | Promise<void>) | undefined;
      const begin = {
        at: step.at,
        act: async () => {
          world.calm.begins(step);
          world.tally.begins(step, world.replicas[step.to]?.isRunning ?? false);
          end = await disturb(world, step);
          if (step.for === undefined) world.calm.ends(step);
        },
      };
      const over = async () => {
        await end?.();
        world.calm.ends(step);
        world.tally.ends(step);
      };
      return step.for === undefined ? [begin] : [begin, { at: step.at + step.for, act: over }];
    }),
  ].sort((a, b) => a.at - b.at);
  // Where one of two replicas is another version, it depends on who leads what is desired; and nobody does until one is back.
  const isAway = schedule.replicas === 2 || schedule.restartSeconds >= 1;
  const isUpgraded = isAway && schedule.workload.some((step) => step.do === 'upgrade');
  // Whoever lost what it knew has to notice, and to begin anew.
  const isRestored = schedule.workload.some((step) => step.do === 'restore');
  // Whether a kind is served is looked at every ten to twenty seconds.
  const isServedOnce = schedule.workload.some((step) => step.do === 'serve');
  const isPrompt = schedule.faults.length === 0 && !isUpgraded && !isRestored && !isServedOnce;
  const redefinedAt = schedule.workload.flatMap((step) => (step.do === 'redefine' ? step.at : []));
  for (const [index, { at, act }] of moments.entries()) {
    await world.advanceTo(at, schedule.restartSeconds);
    await act();
    const left = (moments[index + 1]?.at ?? Number.POSITIVE_INFINITY) - at;
    // With each change of a definition its watches end, and lists that follow each other soon have pauses between them.
    const isListedOften = redefinedAt.filter((each) => each <= at && at - each < 5).length > 1;
    if (!isPrompt || isListedOften || left < promptSeconds) continue;
    await world.advanceTo(at + promptSeconds, schedule.restartSeconds);
    late.push(...lateOnes(world));
  }
  await world.advanceTo(endOf(schedule), schedule.restartSeconds);
  return late;
}

async function work(world: World, step: WorkloadStep): Promise<void> {
  if (step.do === 'upgrade') return world.upgrade(step.to, step.edition, step.how);
  if (step.do === 'redefine') return world.redefine(step.taken);
  if (step.do === 'serve') return world.serve(step.isServed);
  if (step.do === 'backup') return world.backUp();
  if (step.do === 'restore') return world.restore();
  const { user, wishes } = world;
  const { kind: name, ...target } = step.object;
  const kind = kindOf(name);
  const by = { fieldManager: 'kubectl' };
  try {
    switch (step.do) {
      case 'apply': {
        if (wishes.postpones(step.object, () => work(world, step))) break;
        const metadata = { ...(step.body['metadata'] as object | undefined), ...target };
        const manifest = { apiVersion: kind.apiVersion, kind: name, ...step.body, metadata } as Manifest;
        await user.apply(kind, manifest, { ...by, force: true });
        break;
      }
      case 'patch': {
        const where = step.subresource === undefined ? {} : { subresource: step.subresource };
        await user.patch(kind, target, { type: 'merge', body: step.body }, { fieldManager: 'somebody', ...where });
        break;
      }
      case 'replace': {
        const { metadata } = await user.get(kind, target);
        const { resourceVersion, uid, ownerReferences = [] } = metadata;
        const bare = { ...target, resourceVersion, uid, ownerReferences };
        const object = { apiVersion: kind.apiVersion, kind: name, ...step.body, metadata: bare } as KubeObject;
        await user.update(kind, object, { fieldManager: 'somebody' });
        break;
      }
      case 'delete':
        wishes.drop(step.object);
        await user.delete(kind, target);
    }
  } catch (error) {
    if (!(error instanceof ApiError) && !(error instanceof OperatorError)) throw error;
  }
}

/** Returns how the fault ends, where it does not end by itself. */
async function disturb(world: World, step: FaultStep): Promise<(() => void | Promise<void>) | undefined> {
  const replica = world.replicas[step.to];
  if (!replica) return undefined;
  const { faults } = replica;
  switch (step.fault) {
    case 'crash':
      if (step.when === 'before') faults.crashBefore(step.match);
      else faults.crashAfter(step.match);
      return undefined;
    case 'refuse': {
      const { code, retryAfter, times } = step;
      const after = retryAfter === undefined ? {} : { retryAfterSeconds: retryAfter };
      faults.refuse(step.match, { code, times, ...after });
      return undefined;
    }
    case 'lose':
      if (step.when === 'before') faults.loseCall(step.match, step.times);
      else faults.loseAnswer(step.match, step.times);
      return undefined;
    case 'race':
      world.races.plan(replica.identity, step);
      return undefined;
    case 'delay':
      faults.delay(step.match, step.seconds, step.times);
      return undefined;
    case 'hold':
      return faults.holdWatch(step.kind);
    case 'lag':
      return faults.goBack(step.kind);
    case 'unserve':
      return faults.unserve(step.kind);
    case 'break':
      faults.breakWatch(step.kind);
      return undefined;
    case 'silence':
      faults.silenceWatch(step.kind);
      return undefined;
    case 'partition':
      return faults.partition();
    case 'slow': {
      const dice = new Dice(step.seed);
      return faults.slowDown((call) =>
        step.kind === undefined || step.kind === call.kind ? dice.whole(0, step.milliseconds) : 0,
      );
    }
    case 'cut-off':
    case 'behind':
    case 'hang':
      return world.sicken(step.to, step);
    case 'pause':
      return pause(world, replica, step.first);
    case 'kill':
      replica.crash();
      return undefined;
    case 'stop':
      world.terminate(replica);
      return undefined;
    case 'lose-lease':
      replica.loseLease();
      return undefined;
    case 'take-lease':
    case 'delete-lease':
      await world.seizeLease(step.fault);
      return undefined;
    case 'leap':
      world.clock.leap(step.seconds * 1000);
      world.history.leapt();
      return undefined;
    case 'wall':
      replica.setWallClock(step.seconds);
      return undefined;
    case 'rate':
      world.setClockRate(replica, step.rate);
      return () => world.setClockRate(replica, 1);
    case 'compact':
      world.server.store.compact();
      return undefined;
    case 'service':
      return world.seats.fails(step.how);
  }
}

function pause(world: World, replica: TestController, first: 'timers' | 'answers'): () => Promise<void> {
  replica.pause();
  world.history.stoodStill(replica.identity);
  return async () => {
    world.history.stoodStill(replica.identity);
    await replica.resume({ first });
  };
}

/**
 * Until nothing changed for so many seconds, counted from now at the earliest, or until `deadline`. Where others changed
 * back what was put back, thrice and more, a controller promises to wait longer each time and to say when it is over: that
 * is no rest either. Returns when the last of them was, in seconds; 0 without any.
 */
async function rest(world: World, { restartSeconds }: Schedule, quiet: number, deadline: number): Promise<number> {
  const { clock, history } = world;
  // In whole milliseconds, as time is: of fractions one may always be missing.
  const from = clock.monotonic();
  const quietAt = () => Math.max(history.lastChange, from) + Math.ceil(quiet * 1000);
  let end = Math.ceil(deadline * 1000);
  let foughtAt = 0;
  while (clock.monotonic() < Math.min(quietAt(), end)) {
    await world.advanceTo(Math.min(quietAt(), end) / 1000, restartSeconds, 'atRest');
    if (!isFoughtOver(world) || clock.monotonic() > longestFightSeconds * 1000) continue;
    foughtAt = clock.monotonic();
    history.lastChange = foughtAt;
    end = Math.max(end, quietAt());
  }
  return foughtAt / 1000;
}

/** Takes away what others left half done: whom it befell was a matter of time. True if there was something. */
async function tidyUp(world: World): Promise<boolean> {
  const { user } = world;
  const revision = world.server.store.revision;
  for (const name of ['ConfigMap', 'Secret', 'Service', 'Site', 'Deployment', 'RoleBinding', 'Gem']) {
    const kind = kindOf(name);
    for (const object of world.list(name)) {
      const { metadata } = object;
      const target = {
        name: metadata.name,
        ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      };
      if (metadata.namespace?.startsWith('kube-') || isFurniture(metadata.name)) continue;
      if (metadata.finalizers?.length) {
        const body = { metadata: { finalizers: null } };
        await user.patch(kind, target, { type: 'merge', body }, { fieldManager: 'somebody' });
      }
      const isOwned = (metadata.ownerReferences ?? []).length > 0 || farOwnerOf(object) !== undefined;
      const isKept = metadata.labels?.['role'] !== undefined || (isOwned && !isStray(world, object));
      const isAUsers = name === 'Site' && !metadata.name.startsWith('f-');
      if (isKept || isAUsers || metadata.deletionTimestamp !== undefined) continue;
      await user.delete(kind, target);
    }
  }
  return world.server.store.revision !== revision;
}

/**
 * A far child that a call reached after its custom resource had moved on or gone: by then nobody could know of it. Or one that was
 * let go by force.
 */
function isStray(world: World, object: KubeObject): boolean {
  const { far } = world.history;
  const uid = farOwnerOf(object) ?? '';
  const owner = ['Tour', 'Vault', 'Review']
    .flatMap((kind) => world.list(kind))
    .find(({ metadata }) => metadata.uid === uid);
  if (!owner && far.wasForced(uid)) return true;
  if (!far.beyondRecall.has(object.metadata.uid)) return false;
  return !owner || !notesOf(owner).includes(noteOf(object));
}

/** What every namespace has. */
function isFurniture(name: string): boolean {
  return name === 'kubernetes' || name === 'kube-root-ca.crt';
}
