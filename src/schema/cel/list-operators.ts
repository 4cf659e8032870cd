import type { ASTNode } from '@marcbachmann/cel-js';
import { itself, type KeyOf, keyOfItems, listByKey, refuseUnhashable } from './unordered-lists.js';
import { celEqual } from './values.js';

type List = readonly unknown[];

/** What the library's check leaves on an operation, though it does not declare it: what computes it. */
interface Operation {
  handle: (left: unknown, right: unknown, ...rest: unknown[]) => unknown;
}

/**
 * Lets the `==`, `!=`, `in` and `+` among the nodes of a checked rule take a set or a list map on their left, or in it, for one, as the
 * server does: the order of items does not count, and a sum has each once. The library's own cannot be replaced.
 */
export function joinListsIn(nodes: readonly ASTNode[]): void {
  for (const node of nodes) {
    if (!operators.has(node.op)) continue;
    const operation = node as unknown as Operation;
    const { handle } = operation;
    operation.handle = (left, right, ...rest) => {
      if (node.op === '+') {
        const keyOf = Array.isArray(left) && Array.isArray(right) ? keyOfItems(left) : undefined;
        return keyOf === undefined ? handle(left, right, ...rest) : united(left as List, right as List, keyOf);
      }
      if (!holdsUnordered(left)) return handle(left, right, ...rest);
      if (node.op !== 'in') return celEqual(left, right) === (node.op === '==');
      return Array.isArray(right) ? right.some((item) => celEqual(left, item)) : handle(left, right, ...rest);
    };
  }
}

const operators: ReadonlySet<string> = new Set(['==', '!=', 'in', '+']);

function holdsUnordered(value: unknown): boolean {
  if (value instanceof Map) return [...value.values()].some(holdsUnordered);
  return Array.isArray(value) && (keyOfItems(value) !== undefined || value.some(holdsUnordered));
}

/** In the place of `left` what `right` has under the same key, and what else it has behind it: of a set each item once. */
function united(left: List, right: List, keyOf: KeyOf): List {
  if (keyOf === itself) refuseUnhashable([...left, ...right], 'hash of unhashable type:');
  const sum = left.map((item) => alike(right, item, keyOf) ?? item);
  for (const item of right) {
    if (alike(keyOf === itself ? sum : left, item, keyOf) === undefined) sum.push(item);
  }
  return listByKey(sum, keyOf);
}

function alike(list: List, wanted: unknown, keyOf: KeyOf): unknown {
  return list.find((item) => celEqual(keyOf(item), keyOf(wanted)));
}
