import type { Operator } from '../../../src/index.js';
import { memcached } from '../../../src/operators/memcached.js';
import type { Edition, Schedule } from '../schedule.js';
import { depot } from './depot.js';
import { fleetOf } from './fleet.js';
import { reportOf } from './report.js';
import { siteOf } from './site.js';
import { tourOf } from './tour.js';
import { trip } from './trip.js';

interface Set {
  readonly common: readonly Operator[];
  readonly tour: Operator;
}

const setOf = (edition: Edition): Set => ({
  common: [siteOf(edition), reportOf(edition), fleetOf(edition)],
  tour: tourOf(edition),
});

const sets: Readonly<Record<Edition, Set>> = { first: setOf('first'), second: setOf('second') };

/** What runs in a schedule: with Pods also that for which the cluster's own controllers have to run. */
export function operatorsOf(
  { pods, tours = false, extras = false }: Pick<Schedule, 'pods' | 'tours' | 'extras'>,
  edition: Edition = 'first',
): readonly Operator[] {
  const { common, tour } = sets[edition];
  return [...common, ...(pods ? [memcached] : []), ...(tours ? [tour] : []), ...(extras ? [trip, depot] : [])];
}

/** What runs in any; which kinds there are, and what they own, is the same in each edition. */
export const allOperators = operatorsOf({ pods: true, tours: true, extras: true });
