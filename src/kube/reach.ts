/**
 * How far a custom resource in a namespace may reach.
 *
 * - `namespace`: it reads and has children in its own namespace alone. Whoever may write there may write it.
 * - `consent`: also in namespaces whose owners agree, by annotations that are theirs to write. See `consent.ts`.
 * - `cluster`: everywhere, cluster-scoped kinds included. Whoever may write one custom resource anywhere may do whatever
 *   the operator composes: for kinds that administrators alone may write.
 */
export const reaches = ['namespace', 'consent', 'cluster'] as const;

export type Reach = (typeof reaches)[number];
