import type { ASTNode } from '@marcbachmann/cel-js';

const conversions = new Set('bool bytes double duration dyn int string timestamp type uint'.split(' '));

/**
 * The texts of the conversions of what is written out, such as `int("7")`. The server carries them out as it makes a program of
 * a rule, whether they are ever reached or not: https://github.com/google/cel-go/blob/v0.26.0/interpreter/decorators.go
 */
export function constantConversions(nodes: readonly ASTNode[], source: string): readonly string[] {
  return nodes.filter(isConversion).map(({ start, end }) => source.slice(start, end));
}

function isConversion(node: ASTNode): boolean {
  if (node.op !== 'call') return false;
  const [name, [argument, ...others]] = node.args;
  return conversions.has(name) && argument !== undefined && others.length === 0 && isConstant(argument);
}

function isConstant(node: ASTNode): boolean {
  if (node.op === '-_') return (node.args as ASTNode).op === 'value';
  return node.op === 'value' || isConversion(node);
}
