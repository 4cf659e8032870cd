import type { ASTNode } from '@marcbachmann/cel-js';
import { isGoDuration } from '../duration.js';
import { patternFault } from '../pattern.js';
import { converted } from './convert.js';
import { maxCostOf } from './cost.js';
import type { DeclType } from './decl-type.js';
import type { RuleEnvironment } from './environment.js';

/** One CEL expression, checked against the type of `self`. */
export type CompiledExpression =
  | {
      readonly state: 'known';
      /** In the units of the API server's budget. */
      readonly maxCost: number;
      readonly usesOldSelf: boolean;
      evaluate(variables: { readonly self: unknown; readonly oldSelf?: unknown }): unknown;
    }
  /** Uses something that only the server can evaluate. */
  | { readonly state: 'unknown'; readonly because: string; readonly usesOldSelf: boolean }
  | { readonly state: 'faulty'; readonly fault: string };

/** The type that an expression must have. */
export type Wanted = 'bool' | 'string';

export function compile(source: string, wanted: Wanted, self: DeclType, rules: RuleEnvironment): CompiledExpression {
  try {
    const nodes = nodesOf(rules.environment.parse(source).ast);
    const usesOldSelf = nodes.some((node) => node.op === 'id' && node.args === 'oldSelf');
    const because = nodes.map(unknownHere).find((name) => name !== undefined);
    if (because !== undefined) return { state: 'unknown', because, usesOldSelf };
    const foreign = nodes.map(foreignHere).find((fault) => fault !== undefined);
    if (foreign !== undefined) return { state: 'faulty', fault: `compilation failed: ${foreign}` };

    const program = rules.environment.parse(withOurFunctions(source, nodes));
    const checked = program.check();
    if (!checked.valid) return { state: 'faulty', fault: `compilation failed: ${firstLine(checked.error)}` };
    const expression = converted(program.ast);
    if (expression.type.kind !== wanted) {
      return {
        state: 'faulty',
        fault:
          wanted === 'bool' ? 'cel expression must evaluate to a bool' : 'messageExpression must evaluate to a string',
      };
    }
    return {
      state: 'known',
      usesOldSelf,
      maxCost: maxCostOf(expression, self),
      evaluate: (variables) => program({ ...variables }),
    };
  } catch (error) {
    return { state: 'faulty', fault: `compilation failed: ${firstLine(error)}` };
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]!;
}

/** The node and all below it. */
function nodesOf(node: ASTNode): ASTNode[] {
  return [node, ...operandsOf(node.args).flatMap(nodesOf)];
}

function operandsOf(args: unknown): ASTNode[] {
  if (Array.isArray(args)) return args.flatMap(operandsOf);
  return args !== null && typeof args === 'object' && 'op' in args ? [args as ASTNode] : [];
}

/** Functions of Kubernetes that the library cannot express, by name. */
const unknownFunctions = new Set(
  (
    'optMap optFlatMap ofNonZeroValue sortBy transformList transformMap transformMapEntry existsOne semver isSemver ' +
    'validate escapeKey unwrapOpt'
  ).split(' '),
);

function unknownHere(node: ASTNode): string | undefined {
  if (node.op === 'call') return unknownFunctions.has(node.args[0]) ? node.args[0] : undefined;
  if (node.op !== 'rcall') return undefined;
  const [name, receiver, args] = node.args;
  if (unknownFunctions.has(name)) return name;
  if (/^(all|exists|exists_one)$/.test(name) && args.length === 3) return `${name} with two variables`;
  if (name === 'flatten' && args.length === 1) return 'flatten with a depth';
  if (receiver.op !== 'id') return undefined;
  if (receiver.args === 'lists' && name === 'range') return 'lists.range';
  return receiver.args === 'format' ? `format.${name}` : undefined;
}

/** What the library knows and Kubernetes does not. */
function foreignHere(node: ASTNode): string | undefined {
  if (node.op === 'call') return badLiteral(node.args[0], node.args[1][0]);
  if (node.op !== 'rcall') return undefined;
  const [name, receiver, args] = node.args;
  if (receiver.op === 'id' && receiver.args === 'cel') return "undeclared reference to 'cel'";
  if (/^(json|hex|base64|at|string)$/.test(name)) return `undeclared reference to '${name}'`;
  const [pattern] = args;
  if (/^(matches|find|findAll)$/.test(name) && pattern?.op === 'value' && typeof pattern.args === 'string') {
    return patternFault(pattern.args);
  }
  return undefined;
}

/** The server looks at durations and times that are written out when it compiles a rule. */
function badLiteral(name: string, argument: ASTNode | undefined): string | undefined {
  if (argument?.op !== 'value' || typeof argument.args !== 'string') return undefined;
  if (name === 'duration' && !isGoDuration(argument.args)) return 'invalid duration argument';
  return name === 'timestamp' && !isTimestamp(argument.args) ? 'invalid timestamp argument' : undefined;
}

function isTimestamp(text: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}([.,]\d+)?(Z|[+-]\d{2}:\d{2})$/.test(text) && !Number.isNaN(Date.parse(text))
  );
}

/** Functions of which the library's own differ from Kubernetes', and ours, under another name because none can be replaced. */
const renamed: Readonly<Record<string, string>> = { matches: 'matchesGo', has: 'hasField' };

function withOurFunctions(source: string, nodes: readonly ASTNode[]): string {
  const places = nodes.flatMap((node) => {
    const isCall = node.op === 'call' || (node.op === 'rcall' && node.args[0] === 'matches');
    const name = isCall ? node.args[0] : undefined;
    if (name === undefined || !Object.hasOwn(renamed, name)) return [];
    return [{ name, start: source.indexOf(name, node.op === 'rcall' ? node.args[1].end : node.start) }];
  });
  return places
    .sort((a, b) => b.start - a.start)
    .reduce(
      (text, { name, start }) => `${text.slice(0, start)}${renamed[name]}${text.slice(start + name.length)}`,
      source,
    );
}
