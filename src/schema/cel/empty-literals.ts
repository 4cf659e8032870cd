import type { ASTNode } from '@marcbachmann/cel-js';

/** What the library hands to the check of a node, and leaves on one; it declares neither. */
interface Type {
  readonly kind: string;
  readonly valueType?: Type;
}

interface Checked {
  check(checker: { getType(name: string): Type }, node: ASTNode, context: unknown): Type;
  readonly checkedType?: Type;
}

/**
 * Lets a rule look at each of no items. What `[]` and `{}` hold has no type of its own, and the library finds several operators for
 * it where the server finds that any would do. A sum is of the type of what is added. For nodes that are not checked yet.
 */
export function typeEmptyIn(nodes: readonly ASTNode[]): void {
  for (const node of nodes) {
    if (node.op === '+') {
      const [, right] = node.args as unknown as readonly [Checked, Checked];
      retype(node, (type) => (isEmpty(type) && right.checkedType?.kind === type.kind ? right.checkedType : type));
    }
    if (node.op !== 'rcall') continue;
    const [name, range] = node.args;
    // What a function gives of a list whose items are of no known type is no empty one.
    if (!overEach.test(name) || (range.op !== 'list' && range.op !== 'map')) continue;
    retype(range, (type, getType) => {
      if (!isEmpty(type)) return type;
      return getType(type.kind === 'list' ? 'list<dyn>' : 'map<dyn, dyn>');
    });
  }
}

const overEach = /^(all|exists|exists_one|filter|map)$/;

const isEmpty = ({ kind, valueType }: Type) => (kind === 'list' || kind === 'map') && valueType?.kind === 'param';

function retype(node: ASTNode, typeOf: (type: Type, getType: (name: string) => Type) => Type): void {
  const checked = node as unknown as Checked;
  const check = checked.check.bind(node);
  checked.check = (checker, itself, context) =>
    typeOf(check(checker, itself, context), (name) => checker.getType(name));
}
