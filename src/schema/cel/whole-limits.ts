import type { ASTNode } from '@marcbachmann/cel-js';
import { withinInt } from './conversions.js';

/** What the library's check leaves on an operation, though it does not declare it: what computes it. */
interface Operation {
  handle: (...operands: unknown[]) => unknown;
}

const most = 2n ** 63n;

/**
 * Lets the operators among the nodes of a checked rule go no further with whole numbers than Go does. The library minds that where
 * it adds and multiplies; the least of all numbers has no counterpart above zero either, whichever operator would lead there.
 */
export function limitWholesIn(nodes: readonly ASTNode[]): void {
  for (const node of nodes) {
    if (node.op !== '-_' && node.op !== '/' && node.op !== '%') continue;
    const operation = node as unknown as Operation;
    const { handle } = operation;
    operation.handle = (left, right, ...rest) => {
      // Nothing is left of that division, and yet Go does not carry it out.
      if (node.op === '%' && left === -most && right === -1n) return withinInt(most);
      const result = handle(left, right, ...rest);
      return typeof result === 'bigint' ? withinInt(result) : result;
    };
  }
}
