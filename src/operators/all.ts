import type { Operator } from '../index.js';
import { configMapSync } from './config-map-sync.js';
import { flightticket } from './flightticket.js';
import { foo } from './foo.js';
import { genericdaemon } from './genericdaemon.js';
import { memcached } from './memcached.js';
import { podroute } from './podroute.js';

/** The operators that kilter ships: what is rendered to `dist/` and what the controller runs. */
export const operators: readonly Operator[] = [memcached, podroute, flightticket, foo, genericdaemon, configMapSync];
