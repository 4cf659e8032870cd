import type { ASTNode } from '@marcbachmann/cel-js';
import { withTheirFunctions } from './our-functions.js';

/** What keeps an expression from being compiled, and where in its text. */
export interface CompileFault {
  readonly message: string;
  /** Counted from 0. */
  readonly at: number;
}

/** The fault as cel-go shows it: with the line of the text, and a mark under the place. */
export function showFault({ message, at }: CompileFault, source: string): string {
  const before = source.slice(0, at);
  const line = before.split('\n').length;
  const column = at - (before.lastIndexOf('\n') + 1);
  const text = source.split('\n')[line - 1] ?? '';
  return `ERROR: <input>:${line}:${column + 1}: ${message}\n | ${text}\n | ${'.'.repeat(column)}^`;
}

/** What the library says of a text, in the words of cel-go and at the place where it sees the fault. */
export function faultOf(error: unknown, source: string, isFunction: (name: string) => boolean): CompileFault {
  const { node, summary } = error as { readonly node?: ASTNode; readonly summary?: string };
  const said = withTheirFunctions(
    (summary ?? (error instanceof Error ? error.message : String(error))).split('\n')[0]!,
  );
  const at = node === undefined ? 0 : placeOf(node, source);
  if (/^Unexpected token: EOF/.test(said)) {
    const expected = `'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER`;
    return { message: `Syntax error: mismatched input '<EOF>' expecting {${expected}}`, at: source.length };
  }
  return { message: inTheirWords(said, isFunction), at };
}

function inTheirWords(said: string, isFunction: (name: string) => boolean): string {
  const [, variable] = /^Unknown variable: (.*)$/.exec(said) ?? [];
  if (variable !== undefined) return undeclared(variable);
  const [, field] = /^No such key: (.*)$/.exec(said) ?? [];
  if (field !== undefined) return `undefined field '${field}'`;
  const [, left, operator, right] = /^no such overload: (\S+) (\S+) (\S+)$/.exec(said) ?? [];
  if (operator !== undefined) {
    const name = operator === 'in' ? '@in' : `_${operator}_`;
    return noOverload(name, `(${typeName(left!)}, ${typeName(right!)})`);
  }
  const [, sign, operand] = /^no such overload: ([!-])(\S+)$/.exec(said) ?? [];
  if (sign !== undefined) return noOverload(`${sign}_`, `(${typeName(operand!)})`);
  const [, receiver, name, args] = /^found no matching overload for '(?:(\S+)\.)?(\w+)\((.*)\)'$/.exec(said) ?? [];
  if (name === undefined) return said;
  if (!isFunction(name)) return undeclared(name);
  const types = `(${typeName(args!)})`;
  return noOverload(name, receiver === undefined ? types : `${typeName(receiver)}.${types}`);
}

function undeclared(name: string): string {
  return `undeclared reference to '${name}' (in container '')`;
}

function noOverload(name: string, types: string): string {
  return `found no matching overload for '${name}' applied to '${types}'`;
}

/** `list<string>` is `list(string)` to cel-go. */
export function typeName(name: string): string {
  return name.replaceAll('<', '(').replaceAll('>', ')').replaceAll(',', ', ').replaceAll(',  ', ', ');
}

/** An operator stands between its operands, a call at its bracket, a selection at its dot. */
function placeOf(node: ASTNode, source: string): number {
  const { args, start } = node as unknown as { readonly args: unknown; readonly start: number };
  const after = (child: unknown, text: string) => {
    const found = source.indexOf(text, (child as { readonly end: number }).end);
    return found < 0 ? start : found;
  };
  switch (node.op) {
    case 'rcall':
      return after((args as readonly unknown[])[1], '(');
    case 'call':
      return Math.max(source.indexOf('(', start), start);
    case '.':
      // What is tested is no selection to the server, but a call.
      if (/\bhasField\($/.test(source.slice(0, start))) return start - 1;
      return after((args as readonly unknown[])[0], '.');
    case 'id':
    case 'value':
    case '!_':
    case '-_':
      return start;
    default:
      return Array.isArray(args) && args.length === 2 ? after(args[0], String(node.op)) : start;
  }
}
