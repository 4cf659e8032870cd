import type { Operator } from '../index.js';
import { foo } from './foo.js';
import { genericdaemon } from './genericdaemon.js';
import { memcached } from './memcached.js';

/** The operators that kilter ships: what is rendered to `dist/` and what the controller runs. */
export const operators: readonly Operator[] = [memcached, foo, genericdaemon];
