import type { CallMatch } from '../../src/testing/call.js';
import { Dice, rounded } from './dice.js';
import { drawExtraFaults, drawExtras } from './draw-extras.js';
import { drawRestraints, isBearable, isOfMinutes } from './draw-restraints.js';
import { drawScene } from './draw-scene.js';
import { drawScribbles } from './draw-scribbles.js';
import { drawTourFaults, drawTours } from './draw-tours.js';
import { drawRestore, drawUpgrades } from './draw-upgrades.js';
import { drawWorkload } from './draw-workload.js';
import { endOf, type FaultStep, type Named, type Schedule, type WorkloadStep } from './schedule.js';

/** So many histories share a workload, and with it the undisturbed run that they are held to. */
export const historiesPerWorkload = 8;
/** One workload of so many has Tours: that with this number, since no planted mistake was known by any such one. */
const touring = { every: 8, at: 4 };
/** And in one of so many some kind ceases to be served for a while. */
const unserving = { every: 8, at: 7 };
/** In one of so many somebody writes into the status of custom resources. */
const scribbling = { every: 8, at: 2 };
/** In one of so many the operators are replaced by another version of them. */
const upgrading = { every: 16, at: 5 };
/** In one of so many somebody suspends custom resources, or has a mode set. */
const restraining = { every: 16, at: 6 };
/** In one of so many there are Trips, and a service outside, and Depots. */
const extending = { every: 128, at: 3 };
/** In one of so many the API server is restored from a backup, where there is one replica. */
const restoring = { every: 128, at: 1 };

const kinds = ['Site', 'Report', 'Fleet', 'ConfigMap', 'Secret', 'Service'];
const owners = ['Site', 'Report', 'Fleet', 'Memcached'];
const codes = [409, 410, 429, 500, 503];

// Until whoever was robbed of the Lease knows, two lead. Of two versions each makes what the other prunes, without end where no time
// goes by.
const isRobbery = ({ fault }: FaultStep) => fault === 'take-lease' || fault === 'delete-lease';

/** The schedule with this number, of the many that a seed stands for. */
export function drawSchedule(seed: number, index: number): Schedule {
  const number = Math.floor(index / historiesPerWorkload);
  const which = index % historiesPerWorkload;
  const workloadSeed = mixed(seed, number);
  const dice = new Dice(mixed(workloadSeed, 1 + which));
  const { pods, workload: drawnWorkload } = drawWorkload(workloadSeed);
  const isRestrained = number % restraining.every === restraining.at;
  const workload = isRestrained ? drawnWorkload.filter(isBearable) : drawnWorkload;
  // By dice of their own, so that all else is drawn as it is without them.
  const hasTours = number % touring.every === touring.at;
  const tours = hasTours ? drawTours(new Dice(mixed(workloadSeed, 1 + historiesPerWorkload))) : [];
  const isUpgraded = number % upgrading.every === upgrading.at;
  const few = dice.percent(30) ? 2 : 1;
  // Old and new are there at once only where there are two.
  const hasExtras = number % extending.every === extending.at;
  const extras = hasExtras ? drawExtras(new Dice(mixed(workloadSeed, 7 + 6 * historiesPerWorkload))) : [];
  const isRestored = number % restoring.every === restoring.at;
  const replicas = isUpgraded && which % 2 === 1 ? 2 : isRestored ? 1 : few;
  const span = endOf({ workload, faults: [] }) + 10;
  const scribbles =
    number % scribbling.every === scribbling.at
      ? drawScribbles(new Dice(mixed(workloadSeed, 4 + 3 * historiesPerWorkload)), ownOf(workload), span)
      : [];
  const upgrades = isUpgraded ? drawUpgrades(new Dice(mixed(workloadSeed, 5 + 4 * historiesPerWorkload)), span) : [];
  const restraints = isRestrained
    ? drawRestraints(new Dice(mixed(workloadSeed, 6 + 5 * historiesPerWorkload)), ownOf(workload), span)
    : [];
  const restores = isRestored ? drawRestore(new Dice(mixed(workloadSeed, 9 + 8 * historiesPerWorkload)), span) : [];
  const faults: FaultStep[] = [];
  for (let left = dice.whole(1, 10); left > 0; left--) {
    const fault = drawFault(dice, span, replicas, pods);
    faults.push(fault);
    // What only shows to whoever asks again: make it ask.
    if (fault.fault === 'compact' || fault.fault === 'lag') {
      const kind = fault.fault === 'lag' ? fault.kind : dice.one(kinds);
      const at = fault.at + dice.seconds(5);
      if (dice.percent(60)) faults.push({ at, to: fault.to, fault: 'break', kind });
      if (dice.percent(30)) {
        const match = { verb: 'watch', kind } as const;
        faults.push({
          at,
          to: fault.to,
          fault: 'refuse',
          match,
          code: dice.one([429, 500, 503]),
          times: dice.whole(1, 4),
        });
      }
      if (fault.fault === 'lag' && dice.percent(60)) faults.push({ at, to: fault.to, fault: 'compact' });
    }
  }
  if (hasTours) {
    faults.push(...drawTourFaults(new Dice(mixed(workloadSeed, 2 + historiesPerWorkload + which)), tours, replicas));
  }
  if (hasExtras) {
    faults.push(
      ...drawExtraFaults(new Dice(mixed(workloadSeed, 8 + 7 * historiesPerWorkload + which)), extras, replicas),
    );
  }
  if (number % unserving.every === unserving.at) {
    faults.push(...drawAbsences(new Dice(mixed(workloadSeed, 3 + 2 * historiesPerWorkload + which)), span, replicas));
  }
  const drawn = { seed: dice.whole(1, 2 ** 31), replicas, pods, restartSeconds: dice.one([0.1, 1, 5]) } as const;
  // What a scene takes back must not come back with a backup.
  const scene = isRestored ? { workload: [], faults: [] } : drawScene(dice, span, replicas);
  // What else goes wrong hides much: some scenes are played alone.
  if (scene.workload.length > 0 && dice.percent(60)) faults.length = 0;
  return {
    ...drawn,
    ...(hasTours ? { tours: true } : {}),
    ...(hasExtras ? { extras: true } : {}),
    ...(isUpgraded && which % 4 >= 2 ? { rolloutLimit: 1 + (which % 2) } : {}),
    workload: [
      ...workload,
      ...tours,
      ...scribbles,
      ...extras,
      ...upgrades,
      ...restraints,
      ...restores,
      ...scene.workload,
    ].sort((a, b) => a.at - b.at),
    faults: [...faults, ...scene.faults]
      .filter((fault) => !isRestrained || isOfMinutes(fault))
      .filter((fault) => !isUpgraded || !isRobbery(fault))
      .sort((a, b) => a.at - b.at),
  };
}

/** The custom resources of a workload, each as often as it is written. */
function ownOf(workload: readonly WorkloadStep[]): readonly Named[] {
  return workload.flatMap((step) => (step.do === 'apply' && owners.includes(step.object.kind) ? [step.object] : []));
}

function drawAbsences(dice: Dice, span: number, replicas: 1 | 2): readonly FaultStep[] {
  return Array.from({ length: dice.whole(1, 3) }, () => ({
    at: rounded(dice.whole(0, span * 1000) / 1000),
    to: replicas === 2 && dice.percent(40) ? 1 : 0,
    for: dice.seconds(dice.percent(20) ? 120 : 30),
    fault: 'unserve',
    kind: dice.one(kinds),
  }));
}

function drawFault(dice: Dice, span: number, replicas: 1 | 2, pods: boolean): FaultStep {
  const at = rounded(dice.whole(0, span * 1000) / 1000);
  const base = { at, to: (replicas === 2 && dice.percent(40) ? 1 : 0) as 0 | 1 };
  const kind = dice.one(pods ? [...kinds, 'Memcached', 'Deployment', 'Pod'] : kinds);
  const lasting = { ...base, for: dice.seconds(dice.percent(20) ? 120 : 30) };
  const fault = dice.weighted({
    crash: 14,
    refuse: 10,
    lose: 8,
    delay: 4,
    race: 6,
    hold: 10,
    lag: 5,
    break: 5,
    silence: 4,
    partition: 3,
    slow: 12,
    kill: 3,
    stop: 3,
    'lose-lease': replicas === 2 ? 3 : 0,
    pause: 6,
    leap: 1,
    wall: 2,
    rate: replicas === 2 ? 3 : 1,
    compact: 5,
  });
  switch (fault) {
    case 'crash':
      return { ...base, fault, when: dice.one(['before', 'after']), match: drawMatch(dice, true) };
    case 'refuse': {
      const code = dice.one(codes);
      const isPolite = code === 429 || (code === 503 && dice.percent(50));
      const times = dice.percent(20) ? dice.whole(5, 14) : dice.whole(1, 3);
      const match = drawMatch(dice, false);
      return { ...base, fault, match, code, ...(isPolite ? { retryAfter: dice.whole(1, 20) } : {}), times };
    }
    case 'lose':
      return {
        ...base,
        fault,
        when: dice.one(['before', 'after']),
        match: drawMatch(dice, false),
        times: dice.whole(1, 4),
      };
    case 'delay':
      return { ...base, fault, match: drawMatch(dice, false), seconds: dice.seconds(40), times: dice.whole(1, 2) };
    case 'race':
      return {
        ...base,
        fault,
        when: dice.one(['before', 'after']),
        match: { verb: dice.one(['create', 'apply', 'patch', 'write', 'delete']) },
        times: dice.whole(1, 2),
      };
    case 'hold':
    case 'lag':
      return { ...lasting, fault, kind };
    case 'break':
    case 'silence':
      return { ...base, fault, kind };
    case 'partition':
      return { ...lasting, fault };
    case 'slow': {
      const where = dice.percent(40) ? { kind } : {};
      return { ...lasting, fault, milliseconds: dice.one([3, 30, 300, 1500]), seed: dice.whole(1, 1e6), ...where };
    }
    case 'rate':
      return { ...lasting, fault, rate: 2 };
    case 'lose-lease':
      return { ...base, fault: dice.one(['lose-lease', 'take-lease', 'delete-lease']) };
    case 'pause':
      return { ...lasting, fault, first: dice.one(['timers', 'answers']) };
    case 'leap':
      return { ...base, fault, seconds: dice.whole(1, 60) };
    case 'wall':
      return { ...base, fault, seconds: dice.one([-3600, -10, 10, 3600]) };
    default:
      return { ...base, fault };
  }
}

/** Whom it befalls: a write in particular, any write, or any call. */
function drawMatch(dice: Dice, isWrite: boolean): CallMatch {
  const kind = dice.one(['Site', 'Report', 'Fleet', 'ConfigMap', 'Service', 'Secret']);
  switch (dice.weighted({ write: 4, create: 3, apply: 2, status: 3, delete: 2, kind: 2, read: isWrite ? 0 : 3 })) {
    case 'create':
      return dice.percent(50) ? { verb: 'create', kind } : { verb: 'create' };
    case 'apply':
      return { verb: 'apply', subresource: '' };
    case 'status':
      return { verb: 'apply', subresource: 'status' };
    case 'delete':
      return { verb: 'delete' };
    case 'kind':
      return { verb: 'write', kind };
    case 'read':
      return { verb: dice.one(['list', 'watch']), kind };
    default:
      return { verb: 'write' };
  }
}

/** A number that depends on both, and on nothing else. */
function mixed(seed: number, index: number): number {
  let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x27d4eb2f);
  return (hash ^ (hash >>> 13)) >>> 0;
}
