import type { ASTNode } from '@marcbachmann/cel-js';
import { type CelType, call, type Expression, literal, spelledOut, types } from './expression.js';
import { formatFault } from './format.js';
import { withTheirFunctions } from './our-functions.js';

/** What the type checker of the library leaves on a node, though it does not declare it. */
interface CheckedType {
  readonly kind: string;
  readonly name: string;
  readonly valueType?: CheckedType;
}

const operators: Readonly<Record<string, string>> = {
  '!_': '!_',
  '-_': '-_',
  '?:': '_?_:_',
  '||': '_||_',
  '&&': '_&&_',
  in: '@in',
  '[]': '_[_]',
  '[?]': '_[?_]',
  '.?': '_?._',
};

/** Functions that look like methods of a constant, but are not. */
const namespaces: Readonly<Record<string, readonly string[]>> = {
  strings: ['quote'],
  sets: ['contains', 'equivalent', 'intersects'],
  ip: ['isCanonical'],
  optional: ['of', 'none'],
};

/**
 * A checked expression of the library in cel-go's form.
 *
 * Throws what the server's type checker minds and the library does not: an object is not indexed, but selected from.
 */
export function converted(ast: ASTNode): Expression {
  return new Converter().expression(ast);
}

class Converter {
  /** Types of the variables of macros, innermost last. */
  private readonly variables: { readonly name: string; readonly type: CelType }[] = [];

  expression(node: ASTNode): Expression {
    const type = this.typeOf(node);
    switch (node.op) {
      case 'value':
        return literal(node.args, type, sizeOfLiteral(node.args));
      case 'id':
        return { kind: 'identifier', name: node.args, type };
      case '.': {
        const name = dottedName(node);
        if (name !== undefined && dottedTypes.has(name)) return { kind: 'identifier', name, type: { kind: 'type' } };
        return { kind: 'select', operand: this.expression(node.args[0]), field: node.args[1], isTest: false, type };
      }
      case '.?':
        return call(
          '_?._',
          [this.expression(node.args[0]), literal(node.args[1], types.string, node.args[1].length)],
          type,
        );
      case 'list':
        return { kind: 'list', items: alike(this.all(node.args)), type };
      case 'map': {
        const keys = alike(this.all(node.args.map(([key]) => key)));
        const values = alike(this.all(node.args.map(([, value]) => value)));
        return { kind: 'map', entries: keys.map((key, index) => [key, values[index]!] as const), type };
      }
      case 'call': {
        const [name, args] = node.args;
        return name === 'hasField'
          ? this.presenceTest(args[0]!, type)
          : call(withTheirFunctions(name), this.all(args), type);
      }
      case 'rcall':
        return this.method(node, node.args, type);
      case '!_':
      case '-_':
        return call(node.op, [this.expression(node.args)], type);
      default: {
        const args = this.all(node.args as readonly ASTNode[]);
        if (node.op === '[]' && args[0]!.type.kind === 'struct') {
          throw new Error("found no matching overload for '_[_]' applied to an object; select the field instead");
        }
        return call(operators[node.op] ?? `_${node.op}_`, args, type);
      }
    }
  }

  private all(nodes: readonly ASTNode[]): Expression[] {
    return nodes.map((node) => this.expression(node));
  }

  private method(
    node: ASTNode,
    [name, receiver, args]: readonly [string, ASTNode, readonly ASTNode[]],
    type: CelType,
  ): Expression {
    if (receiver.op === 'id' && Object.hasOwn(namespaces, receiver.args) && namespaces[receiver.args]!.includes(name)) {
      return call(`${receiver.args}.${name}`, this.all(args), type);
    }
    const target = this.expression(receiver);
    const [variable, ...rest] = args;
    if (/^(all|exists|exists_one|filter|map)$/.test(name) && variable?.op === 'id') {
      const item = target.type.kind === 'map' ? types.string : (target.type.element ?? types.dyn);
      this.variables.push({ name: variable.args, type: item });
      const bodies = this.all(rest);
      this.variables.pop();
      const spelled = spelledOut(name, target, variable.args, bodies, type);
      if (spelled) return spelled;
    }
    // Of all functions only format takes a list of this and that.
    const list = name === 'format' && args[0]?.op === 'list' ? args[0] : undefined;
    const operands: Expression[] = list
      ? [{ kind: 'list', items: this.all(list.args), type: this.typeOf(list) }]
      : this.all(args);
    if (list) this.checkFormat(receiver, list.args, node);
    return { kind: 'call', name: withTheirFunctions(name), target, args: operands, type };
  }

  /** The server looks at a text to be formatted where it is written out, and at the types of what goes into it. */
  private checkFormat(template: ASTNode, values: readonly ASTNode[], call: ASTNode): void {
    if (template.op !== 'value' || typeof template.args !== 'string') return;
    const fault = formatFault(
      template.args,
      values.map((value) => this.typeOf(value)),
    );
    if (!fault) return;
    throw Object.assign(new Error(fault.message), { node: fault.value === undefined ? call : values[fault.value] });
  }

  private presenceTest(node: ASTNode, type: CelType): Expression {
    if (node.op !== '.') throw new Error('invalid argument to has() macro');
    return { kind: 'select', operand: this.expression(node.args[0]), field: node.args[1], isTest: true, type };
  }

  private typeOf(node: ASTNode): CelType {
    const checked = (node as { readonly checkedType?: CheckedType }).checkedType;
    if (checked) return celType(checked);
    if (node.op === 'id') return this.variables.findLast(({ name }) => name === node.args)?.type ?? types.dyn;
    if (node.op === 'value') return typeof node.args === 'string' ? types.string : types.int;
    return types.dyn;
  }
}

/** Types whose names look like selections. */
const dottedTypes: ReadonlySet<string> = new Set(['google.protobuf.Duration', 'google.protobuf.Timestamp']);

function dottedName({ op, args }: ASTNode): string | undefined {
  if (op === 'id') return args;
  if (op !== '.') return undefined;
  const before = dottedName(args[0]);
  return before && `${before}.${args[1]}`;
}

/** The items of a list or a map, which have to be of one type as far as their types are known. */
function alike(items: readonly Expression[]): readonly Expression[] {
  const [first, ...rest] = items.filter(({ type }) => type.kind !== 'dyn');
  const other = first && rest.find(({ type }) => type.kind !== first.type.kind || type.name !== first.type.name);
  if (first && other) throw new Error(`expected type '${first.type.kind}' but found '${other.type.kind}'`);
  return items;
}

function celType(checked: CheckedType): CelType {
  const element = checked.valueType && { element: celType(checked.valueType) };
  switch (checked.kind) {
    case 'list':
    case 'map':
    case 'optional':
      return { kind: checked.kind, ...element };
    case 'dyn':
    case 'param':
      return types.dyn;
    case 'message':
      if (checked.name === 'google.protobuf.Duration') return { kind: 'duration' };
      if (checked.name === 'google.protobuf.Timestamp') return { kind: 'timestamp' };
      return { kind: checked.name.startsWith('Object') ? 'struct' : 'opaque', name: checked.name };
    default:
      return { kind: checked.name as CelType['kind'] };
  }
}

function sizeOfLiteral(value: unknown): number {
  if (typeof value === 'string') return [...value].length;
  return value instanceof Uint8Array ? value.length : 1;
}
