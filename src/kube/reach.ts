export const reaches = ['namespace', 'consent', 'cluster'] as const;

/**
 * In which namespaces a custom resource may have children, and read.
 *
 * - `namespace`: it reads and has children in its own namespace alone.
 * - `consent`: also in namespaces whose owners agree, by the annotations
 *   `kilter.dev/accept-from` (children) and `kilter.dev/share-with` (reads).
 * - `cluster`: everywhere, cluster-scoped kinds included. Whoever may write one custom resource anywhere may do whatever
 *   the operator composes: for kinds that administrators alone may write.
 */
export type Reach = (typeof reaches)[number];
