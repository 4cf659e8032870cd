/**
 * What becomes of an object that has the name of a child, and was not made by its operator.
 *
 * - `never`: it is left alone, and the custom resource says whose it is.
 * - `orphans`: it is taken if nothing controls it and it is no other custom resource's.
 * - `always`: it is taken, too, if the custom resource whose it says it is is gone. Never from another controller.
 */
export const adoptModes = ['never', 'orphans', 'always'] as const;

export type AdoptMode = (typeof adoptModes)[number];
