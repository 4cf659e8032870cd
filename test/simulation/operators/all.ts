import type { Operator } from '../../../src/index.js';
import { memcached } from '../../../src/operators/memcached.js';
import { fleet } from './fleet.js';
import { report } from './report.js';
import { site } from './site.js';

/** What runs in every schedule. */
export const smallOperators: readonly Operator[] = [site, report, fleet];

/** With Pods, for which the cluster's own controllers have to run. */
export const allOperators: readonly Operator[] = [...smallOperators, memcached];
