import { Dice } from './dice.js';
import { drawExtraFaults, drawExtras } from './draw-extras.js';
import { drawAbsences, drawFault, kinds } from './draw-fault.js';
import { drawForced, drawForcedTour } from './draw-force.js';
import { drawRedefinitions } from './draw-redefinitions.js';
import { drawRestraints, isBearable, isOfMinutes } from './draw-restraints.js';
import { drawReviewFaults, drawReviews } from './draw-reviews.js';
import { drawRivals } from './draw-rivals.js';
import { drawScene } from './draw-scene.js';
import { drawScribbles } from './draw-scribbles.js';
import { drawDeafness, drawHangs, drawServerFaults } from './draw-servers.js';
import { drawSuccession } from './draw-successions.js';
import { drawTourFaults, drawTours } from './draw-tours.js';
import { drawRenaming, drawRestore, drawUpgrades } from './draw-upgrades.js';
import { drawLateThoughts, drawSecondThoughts, drawVaultFaults, drawVaults } from './draw-vaults.js';
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
/** In one of so many the API server is restored from a backup. */
const restoring = { every: 128, at: 1 };
/** In one of so many there are Tours with two far children each, and some are let go by force. */
const farTouring = { every: 16, at: 9 };
/** In one of so many there are Vaults, whose own field says what becomes of their children. */
const keeping = { every: 16, at: 11 };
/** In one of so many the operators are replaced by another version, and are called something else from then on. */
const renaming = { every: 16, at: 13 };
/** In one of so many the definition of Sites takes less for a while. */
const redefining = { every: 16, at: 8 };
/** In one of so many there are Reviews, which read in other namespaces, and have a child of a kind that comes and goes. */
const reviewing = { every: 16, at: 14 };

/** In one of so many, whoever comes to lead has not heard of the last change of a child. */
const succeeding = { every: 16, at: 12 };
/** In one of so many one of two API servers hears nothing from etcd, or hears it late. */
const deafening = { every: 16, at: 10 };
/** In one of so many one of two API servers hangs. */
const hanging = { every: 32, at: 17 };
/** In one of so many two Depots may take the same object. */
const contending = { every: 32, at: 19 };
/** In one of so many somebody has second thoughts about a Vault that goes. */
const repenting = { every: 32, at: 27 };

const owners = ['Site', 'Report', 'Fleet', 'Memcached'];

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
  const isFar = number % farTouring.every === farTouring.at;
  const hasTours = isFar || number % touring.every === touring.at;
  const tourDice = new Dice(mixed(workloadSeed, 1 + historiesPerWorkload));
  const farDice = new Dice(mixed(workloadSeed, 10 + 9 * historiesPerWorkload));
  const tours = hasTours ? drawTours(tourDice, isFar ? farDice : undefined) : [];
  const forced = isFar && farDice.percent(60) ? drawForcedTour(farDice, tours) : [];
  const hasVaults = number % keeping.every === keeping.at;
  const vaults = hasVaults ? drawVaults(new Dice(mixed(workloadSeed, 11 + 10 * historiesPerWorkload))) : [];
  const repents = number % repenting.every === repenting.at;
  const thoughts = repents
    ? drawSecondThoughts(new Dice(mixed(workloadSeed, 18 + 17 * historiesPerWorkload)), vaults)
    : [];
  const hasReviews = number % reviewing.every === reviewing.at;
  const reviews = hasReviews ? drawReviews(new Dice(mixed(workloadSeed, 15 + 14 * historiesPerWorkload))) : [];
  const isRenamed = number % renaming.every === renaming.at;
  const isUpgraded = isRenamed || number % upgrading.every === upgrading.at;
  const few = dice.percent(30) ? 2 : 1;
  // Old and new are there at once only where there are two.
  const hasExtras = number % extending.every === extending.at;
  const extras = hasExtras ? drawExtras(new Dice(mixed(workloadSeed, 7 + 6 * historiesPerWorkload))) : [];
  const isContended = number % contending.every === contending.at;
  const rivals = isContended ? drawRivals(new Dice(mixed(workloadSeed, 19 + 18 * historiesPerWorkload))) : [];
  const tripDice = new Dice(mixed(workloadSeed, 13 + 12 * historiesPerWorkload));
  const trip = extras.find(
    ({ do: what, ...step }) => what === 'apply' && 'object' in step && step.object.kind === 'Trip',
  );
  const forcedTrip =
    trip && 'object' in trip && tripDice.percent(50)
      ? drawForced(tripDice, trip.object, endOf({ workload: extras, faults: [] }))
      : [];
  const isRestored = number % restoring.every === restoring.at;
  const isSucceeded = number % succeeding.every === succeeding.at && which % 2 === 1;
  const replicas = isSucceeded || (isUpgraded && which % 2 === 1) ? 2 : few;
  const span = endOf({ workload, faults: [] }) + 10;
  const scribbles =
    number % scribbling.every === scribbling.at
      ? drawScribbles(new Dice(mixed(workloadSeed, 4 + 3 * historiesPerWorkload)), ownOf(workload), span)
      : [];
  const upgradeDice = new Dice(mixed(workloadSeed, 5 + 4 * historiesPerWorkload));
  const drawAnother = () =>
    isRenamed ? drawRenaming(upgradeDice, span, ownOf(workload)) : drawUpgrades(upgradeDice, span);
  const upgrades = isUpgraded ? drawAnother() : [];
  const restraints = isRestrained
    ? drawRestraints(new Dice(mixed(workloadSeed, 6 + 5 * historiesPerWorkload)), ownOf(workload), span)
    : [];
  const restores = isRestored ? drawRestore(new Dice(mixed(workloadSeed, 9 + 8 * historiesPerWorkload)), span) : [];
  const redefinitions =
    number % redefining.every === redefining.at
      ? drawRedefinitions(new Dice(mixed(workloadSeed, 14 + 13 * historiesPerWorkload)), span)
      : [];
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
  if (hasVaults) {
    faults.push(
      ...drawVaultFaults(new Dice(mixed(workloadSeed, 12 + 11 * historiesPerWorkload + which)), vaults, replicas),
    );
  }
  if (repents) {
    faults.push(
      ...drawLateThoughts(new Dice(mixed(workloadSeed, 20 + 19 * historiesPerWorkload + which)), thoughts, replicas),
    );
  }
  if (isContended) {
    faults.push(
      ...drawExtraFaults(new Dice(mixed(workloadSeed, 21 + 20 * historiesPerWorkload + which)), rivals, replicas),
    );
  }
  if (hasReviews) {
    faults.push(
      ...drawReviewFaults(new Dice(mixed(workloadSeed, 16 + 15 * historiesPerWorkload + which)), reviews, replicas),
    );
  }
  if (hasExtras) {
    faults.push(
      ...drawExtraFaults(new Dice(mixed(workloadSeed, 8 + 7 * historiesPerWorkload + which)), extras, replicas),
    );
  }
  if (number % unserving.every === unserving.at) {
    faults.push(...drawAbsences(new Dice(mixed(workloadSeed, 3 + 2 * historiesPerWorkload + which)), span, replicas));
  }
  const isDeafened = number % deafening.every === deafening.at;
  const serverDice = new Dice(mixed(workloadSeed, 22 + 21 * historiesPerWorkload + which));
  const serverFaults = isDeafened ? drawServerFaults(serverDice, span, replicas) : [];
  const hangDice = new Dice(mixed(workloadSeed, 23 + 22 * historiesPerWorkload + which));
  const hangs = number % hanging.every === hanging.at ? drawHangs(hangDice, span, replicas) : [];
  const drawn = { seed: dice.whole(1, 2 ** 31), replicas, pods, restartSeconds: dice.one([0.1, 1, 5]) } as const;
  const ownScene = () => drawSuccession(new Dice(mixed(workloadSeed, 17 + 16 * historiesPerWorkload + which)), span);
  // What a scene takes back must not come back with a backup.
  const usual = isRestored ? { workload: [], faults: [] } : drawScene(dice, span, replicas);
  const scene = isSucceeded ? ownScene() : usual;
  // What else goes wrong hides much: some scenes are played alone.
  if (scene.workload.length > 0 && dice.percent(60)) faults.length = 0;
  return {
    ...drawn,
    ...(hasTours ? { tours: true } : {}),
    ...(hasExtras || isContended ? { extras: true } : {}),
    ...(hasVaults ? { vaults: true } : {}),
    ...(hasReviews ? { reviews: true } : {}),
    ...(isRenamed ? { renamed: true } : {}),
    ...(isDeafened ? { deafness: drawDeafness(serverDice) } : {}),
    ...(isUpgraded && which % 4 >= 2 ? { rolloutLimit: 1 + (which % 2) } : {}),
    workload: [
      ...workload,
      ...tours,
      ...scribbles,
      ...forced,
      ...extras,
      ...forcedTrip,
      ...vaults,
      ...thoughts,
      ...rivals,
      ...reviews,
      ...upgrades,
      ...restraints,
      ...restores,
      ...redefinitions,
      ...scene.workload,
    ].sort((a, b) => a.at - b.at),
    faults: [...faults, ...serverFaults, ...hangs, ...scene.faults]
      .filter((fault) => !isRestrained || isOfMinutes(fault))
      .filter((fault) => !isUpgraded || !isRobbery(fault))
      .sort((a, b) => a.at - b.at),
  };
}

/** The custom resources of a workload, each as often as it is written. */
function ownOf(workload: readonly WorkloadStep[]): readonly Named[] {
  return workload.flatMap((step) => (step.do === 'apply' && owners.includes(step.object.kind) ? [step.object] : []));
}

/** A number that depends on both, and on nothing else. */
function mixed(seed: number, index: number): number {
  let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x27d4eb2f);
  return (hash ^ (hash >>> 13)) >>> 0;
}
