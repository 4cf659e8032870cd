import type { ASTNode } from '@marcbachmann/cel-js';
import { itself, type KeyOf, keyOfItems, listByKey } from './unordered-lists.js';
import { celEqual } from './values.js';

type List = readonly unknown[];

/** What the library's check leaves on an operation, though it does not declare it: what computes it. */
interface Operation {
  handle: (left: unknown, right: unknown, ...rest: unknown[]) => unknown;
}

/**
 * Lets the `==`, `!=` and `+` among the nodes of a checked rule take a set or a list map on their left for one, as the server
 * does: the order of items does not count, and a sum has each once. The library's own cannot be replaced.
 */
export function joinListsIn(nodes: readonly ASTNode[]): void {
  for (const node of nodes) {
    if (node.op !== '==' && node.op !== '!=' && node.op !== '+') continue;
    const operation = node as unknown as Operation;
    const { handle } = operation;
    operation.handle = (left, right, ...rest) => {
      const keyOf = Array.isArray(left) && Array.isArray(right) ? keyOfItems(left) : undefined;
      if (keyOf === undefined) return handle(left, right, ...rest);
      if (node.op === '+') return united(left as List, right as List, keyOf);
      return isSame(left as List, right as List, keyOf) === (node.op === '==');
    };
  }
}

function isSame(left: List, right: List, keyOf: KeyOf): boolean {
  return left.length === right.length && right.every((item) => celEqual(alike(left, item, keyOf), item));
}

/** In the place of `left` what `right` has under the same key, and what else it has behind it: of a set each item once. */
function united(left: List, right: List, keyOf: KeyOf): List {
  const sum = left.map((item) => alike(right, item, keyOf) ?? item);
  for (const item of right) {
    if (alike(keyOf === itself ? sum : left, item, keyOf) === undefined) sum.push(item);
  }
  return listByKey(sum, keyOf);
}

function alike(list: List, wanted: unknown, keyOf: KeyOf): unknown {
  return list.find((item) => celEqual(keyOf(item), keyOf(wanted)));
}
