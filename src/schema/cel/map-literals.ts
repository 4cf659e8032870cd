import type { ASTNode } from '@marcbachmann/cel-js';

interface Evaluator {
  run(node: ASTNode, context: unknown): unknown;
}

/** What evaluates a node, which the library does not declare. */
interface Evaluated {
  evaluate(evaluator: Evaluator, node: ASTNode, context: unknown): unknown;
}

/**
 * Lets the maps that are written in a checked rule keep their keys: the library makes objects of them, which have nothing but
 * texts for keys, and none of `constructor` or `__proto__`.
 */
export function keepKeysIn(nodes: readonly ASTNode[]): void {
  for (const node of nodes) {
    if (node.op !== 'map') continue;
    const literal = node as unknown as Evaluated;
    const evaluate = literal.evaluate.bind(node);
    const { args } = node;
    literal.evaluate = (evaluator, itself, context) => {
      const entries = args.map(([key, value]) => [evaluator.run(key, context), evaluator.run(value, context)] as const);
      // Numbers without a sign are objects, of which two are never one key.
      return entries.some(([key]) => typeof key === 'object') ? evaluate(evaluator, itself, context) : new Map(entries);
    };
  }
}
