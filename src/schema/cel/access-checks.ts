import type { ASTNode } from '@marcbachmann/cel-js';
import { typeName } from './compile-fault.js';

/** What the library hands to the check of a node, and leaves on one; it declares neither. */
interface Type {
  readonly kind: string;
  readonly name: string;
  readonly keyType?: Type;
  readonly valueType?: Type;
}

interface Checker {
  readonly objectTypes: ReadonlyMap<string, { readonly fields?: object }>;
  createError(code: string, message: string, node: ASTNode): Error;
}

interface Checked {
  check(checker: Checker, node: ASTNode, context: unknown): unknown;
  readonly checkedType?: Type;
}

/**
 * Lets the check of a rule refuse what the server refuses and the library takes for nothing: a field behind `.?` that there is
 * not, and a key that no map of its type can have. For nodes that are not checked yet.
 */
export function checkAccessIn(nodes: readonly ASTNode[]): void {
  for (const node of nodes) {
    if (!accesses.has(node.op)) continue;
    const access = node as unknown as Checked;
    const [left, right] = node.args as unknown as readonly [Checked, string | Checked];
    const check = access.check.bind(node);
    access.check = (checker, itself, context) => {
      const type = check(checker, itself, context);
      const found = left.checkedType?.kind === 'optional' ? left.checkedType.valueType : left.checkedType;
      const fault = found && faultOf(found, typeof right === 'string' ? right : right.checkedType, checker);
      if (fault !== undefined) throw checker.createError('no_such_key', fault, itself);
      return type;
    };
  }
}

const accesses: ReadonlySet<string> = new Set(['.', '.?', '[]', '[?]']);

function faultOf(found: Type, by: string | Type | undefined, { objectTypes }: Checker): string | undefined {
  if (typeof by === 'string') {
    const fields = found.kind === 'message' ? objectTypes.get(found.name)?.fields : undefined;
    return fields && !Object.hasOwn(fields, by) ? `No such key: ${by}` : undefined;
  }
  const key = found.kind === 'map' ? found.keyType : undefined;
  if (key === undefined || by === undefined || isOpen(key) || isOpen(by) || key.name === by.name) return undefined;
  return `found no matching overload for '_[_]' applied to '(${typeName(found.name)}, ${typeName(by.name)})'`;
}

const isOpen = ({ kind }: Type) => kind === 'dyn' || kind === 'param';
