import type { Environment } from '@marcbachmann/cel-js';

/** Bytes in the order of the first that differs; what begins another comes before it. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  return Buffer.compare(a, b);
}

/** `<` and its companions between bytes, which the library leaves out. */
export function registerBytesOrder(environment: Environment): void {
  const add = (operator: string, holds: (order: number) => boolean) =>
    environment.registerOperator(`bytes ${operator} bytes`, (a: Uint8Array, b: Uint8Array) =>
      holds(compareBytes(a, b)),
    );
  add('<', (order) => order < 0);
  add('<=', (order) => order <= 0);
  add('>', (order) => order > 0);
  add('>=', (order) => order >= 0);
}
