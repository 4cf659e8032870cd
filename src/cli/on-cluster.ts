/**
 * What commands do on a cluster, loaded when one of them is called. It is one module for all of them, since the package holds code in
 * files by who loads it: each module more that is loaded by itself parts what they share with `kilter/testing` into more files,
 * for which every test of an author waits.
 */
export { driftTable } from './drift/drift-row.js';
export { lookForDrift } from './drift/look-for-drift.js';
export { migrateKind } from './migrate/migrate-kind.js';
