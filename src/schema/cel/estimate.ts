/** Between how much and how much something costs, or how large it is. Saturates where the API server's 64 bits end. */
export interface Estimate {
  readonly min: number;
  readonly max: number;
}

const limit = 2 ** 64;

export const nothing: Estimate = { min: 0, max: 0 };
export const unknownSize: Estimate = { min: 0, max: limit };

export function fixed(amount: number): Estimate {
  return { min: amount, max: amount };
}

export function sum(...parts: readonly Estimate[]): Estimate {
  return parts.reduce((a, b) => ({ min: saturated(a.min + b.min), max: saturated(a.max + b.max) }), nothing);
}

export function product(a: Estimate, b: Estimate): Estimate {
  return { min: saturated(a.min * b.min), max: saturated(a.max * b.max) };
}

/** Every part of a size costs `factor`; what is left over counts as a whole. */
export function scaled(size: Estimate, factor: number): Estimate {
  return { min: saturated(Math.ceil(size.min * factor)), max: saturated(Math.ceil(size.max * factor)) };
}

/** Whichever of the two it is. */
export function either(a: Estimate, b: Estimate): Estimate {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

function saturated(amount: number): number {
  return Math.min(amount, limit);
}
