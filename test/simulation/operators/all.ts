import type { Operator } from '../../../src/index.js';
import { memcached } from '../../../src/operators/memcached.js';
import type { Schedule } from '../schedule.js';
import { fleet } from './fleet.js';
import { report } from './report.js';
import { site } from './site.js';
import { tour } from './tour.js';

/** What runs in a schedule: with Pods also that for which the cluster's own controllers have to run. */
export function operatorsOf({ pods, tours = false }: Pick<Schedule, 'pods' | 'tours'>): readonly Operator[] {
  return [site, report, fleet, ...(pods ? [memcached] : []), ...(tours ? [tour] : [])];
}

/** What runs in any. */
export const allOperators = operatorsOf({ pods: true, tours: true });
