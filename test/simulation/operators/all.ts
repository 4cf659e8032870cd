import type { Operator } from '../../../src/index.js';
import { memcached } from '../../../src/operators/memcached.js';
import type { Edition, Schedule } from '../schedule.js';
import { depot } from './depot.js';
import { fleetOf } from './fleet.js';
import { type Names, namedBack, renamed as renamedTo } from './names.js';
import { reportOf } from './report.js';
import { review } from './review.js';
import { siteOf } from './site.js';
import { tourOf } from './tour.js';
import { trip } from './trip.js';
import { vaultOf } from './vault.js';

interface Set {
  readonly common: readonly Operator[];
  readonly tour: Operator;
  readonly vault: Operator;
}

const setOf = (edition: Edition, called: (name: string) => Names = (name) => ({ name })): Set => ({
  common: [siteOf(edition, called('site')), reportOf(edition, called('report')), fleetOf(edition, called('fleet'))],
  tour: tourOf(edition),
  vault: vaultOf(called('vault')),
});

const sets: Readonly<Record<Edition, Set>> = {
  first: setOf('first'),
  second: setOf('second'),
  third: setOf('third'),
};
/** Where the operators of the second edition are called something else, too. */
const renamedSets: Readonly<Record<Edition, Set>> = {
  first: sets.first,
  second: setOf('second', renamedTo),
  third: setOf('third', namedBack),
};

/** What says which operators there are. */
export type Cast = Pick<Schedule, 'pods' | 'tours' | 'extras' | 'vaults' | 'reviews' | 'renamed'>;

/** What runs in a schedule: with Pods also that for which the cluster's own controllers have to run. */
export function operatorsOf(
  { pods, tours = false, extras = false, vaults = false, reviews = false, renamed = false }: Cast,
  edition: Edition = 'first',
): readonly Operator[] {
  const { common, tour, vault } = (renamed ? renamedSets : sets)[edition];
  return [
    ...common,
    ...(pods ? [memcached] : []),
    ...(tours ? [tour] : []),
    ...(extras ? [trip, depot] : []),
    ...(vaults ? [vault] : []),
    ...(reviews ? [review] : []),
  ];
}

/** What runs in any; which kinds there are, and what they own, is the same in each edition. */
export const allOperators = operatorsOf({ pods: true, tours: true, extras: true, vaults: true, reviews: true });
