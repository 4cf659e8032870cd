import type { ASTNode } from '@marcbachmann/cel-js';

/** Texts in the order of their characters, as in Go. JavaScript's own is that of code units, where emoji come before U+FFFF. */
export function compareTexts(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

const verdicts: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** What the library's check leaves on a comparison, though it does not declare it: what compares. */
interface Comparison {
  handle: (left: unknown, right: unknown, ...rest: unknown[]) => unknown;
}

/** Lets the comparisons among the nodes of a checked rule compare texts so. The library's own cannot be replaced. */
export function compareTextsIn(nodes: readonly ASTNode[]): void {
  for (const node of nodes) {
    const verdict = Object.hasOwn(verdicts, node.op) ? verdicts[node.op] : undefined;
    if (!verdict) continue;
    const comparison = node as unknown as Comparison;
    const { handle } = comparison;
    comparison.handle = (left, right, ...rest) =>
      typeof left === 'string' && typeof right === 'string'
        ? verdict(compareTexts(left, right))
        : handle(left, right, ...rest);
  }
}
