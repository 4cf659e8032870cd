export const adoptModes = ['never', 'orphans', 'always'] as const;

/**
 * What becomes of an object that has the name of a child, and was not made by its operator.
 *
 * - `never`: it is left alone, and the custom resource says whose it is.
 * - `orphans`: it is taken over if nothing controls it, and no other custom resource has it.
 * - `always`: also if the custom resource that has it, by what it says, is gone. It is never taken from another controller.
 */
export type AdoptMode = (typeof adoptModes)[number];
