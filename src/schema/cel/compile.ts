import { type ASTNode, type Environment, ParseError } from '@marcbachmann/cel-js';
import { isGoDuration } from '../duration.js';
import { patternFault } from '../pattern.js';
import { checkAccessIn } from './access-checks.js';
import { celError } from './cel-error.js';
import { type CompileFault, faultOf, showFault } from './compile-fault.js';
import { constantConversions } from './constant-conversions.js';
import { isInt } from './conversions.js';
import { converted } from './convert.js';
import { maxCostOf } from './cost.js';
import type { DeclType } from './decl-type.js';
import { typeEmptyIn } from './empty-literals.js';
import type { RuleEnvironment } from './environment.js';
import { joinListsIn } from './list-operators.js';
import { keepKeysIn } from './map-literals.js';
import { shiftBefore, withOurFunctions, withTheirFunctions } from './our-functions.js';
import { withoutRawQuotes } from './raw-texts.js';
import { compareTextsIn } from './text-order.js';
import { computeTimesIn, typeTimesIn } from './time-functions.js';
import { isTimestamp } from './times.js';
import { unreadIn, withWholeNumbers } from './unread-syntax.js';
import { CelObject } from './values.js';
import { limitWholesIn } from './whole-limits.js';

/** One CEL expression, checked against the type of `self`. */
export type CompiledExpression =
  | {
      readonly state: 'known';
      /** In the units of the API server's budget. */
      readonly maxCost: number;
      readonly usesOldSelf: boolean;
      evaluate(
        variables: { readonly self: unknown; readonly oldSelf?: unknown } | ReadonlyMap<string, unknown>,
      ): unknown;
    }
  /** Uses something that only the server can evaluate. */
  | { readonly state: 'unknown'; readonly because: string; readonly usesOldSelf: boolean }
  /** `words`: as the API server puts it. */
  | { readonly state: 'faulty'; readonly fault: string; readonly words: string };

/** The type that an expression must have. */
export type Wanted = 'bool' | 'string';

export function compile(
  written: string,
  wanted: Wanted,
  self: DeclType,
  rules: Pick<RuleEnvironment, 'environment' | 'lenient'>,
): CompiledExpression {
  const source = withWholeNumbers(withoutRawQuotes(written));
  try {
    const nodes = nodesOf(rules.environment.parse(source).ast);
    const usesOldSelf = nodes.some((node) => node.op === 'id' && node.args === 'oldSelf');
    const because = nodes.map(unknownHere).find((name) => name !== undefined);
    if (because !== undefined) return { state: 'unknown', because, usesOldSelf };
    const foreign = nodes
      .map((node) => foreignHere(node) ?? bareChoice(node, source) ?? longNumber(node, nodes) ?? largeX(node, source))
      .find((fault) => fault !== undefined);
    if (foreign !== undefined) return faulty(source, foreign.message, foreign);

    const ours = withOurFunctions(source, nodes);
    const { program, error } = checkedProgram(ours, rules.environment);
    if (error !== undefined) return refused(error, source);
    const lenient = rules.lenient && checkedProgram(ours, rules.lenient);
    const evaluated = lenient && lenient.error === undefined ? lenient.program : program;
    const expression = converted(program.ast);
    if (expression.type.kind !== wanted) {
      const fault =
        wanted === 'bool' ? 'cel expression must evaluate to a bool' : 'messageExpression must evaluate to a string';
      return { state: 'faulty', fault, words: fault };
    }
    const failures = constantConversions(nodes, source).map((text) => failureOf(text, rules.environment));
    for (const failure of [...failures, ...nodes.map(patternFailure)]) {
      if (failure === undefined) continue;
      const words = `program instantiation failed: ${failure}`;
      return { state: 'faulty', fault: words, words };
    }
    return {
      state: 'known',
      usesOldSelf,
      maxCost: maxCostOf(expression, self),
      evaluate: (variables) =>
        evaluated(new CelObject(variables instanceof Map ? variables : Object.entries(variables))),
    };
  } catch (error) {
    const because = error instanceof ParseError ? unreadIn(source) : undefined;
    if (because !== undefined) return { state: 'unknown', because, usesOldSelf: /\boldSelf\b/.test(source) };
    return refused(error, source);
  }
}

/** What comes of an expression without variables, if that is an error, in the server's words. */
function failureOf(text: string, environment: Environment): string | undefined {
  try {
    environment.parse(withOurFunctions(text, nodesOf(environment.parse(text).ast)))({});
    return undefined;
  } catch (error) {
    return withTheirFunctions(celError(error));
  }
}

/** Of a pattern that is written out: as a method's argument it is looked at sooner, and told otherwise. */
function patternFailure({ op, args }: ASTNode): string | undefined {
  if (op !== 'call') return undefined;
  const [name, [, pattern]] = args as readonly [string, readonly ASTNode[]];
  return name === 'matches' ? faultOfPattern(pattern) : undefined;
}

function faultOfPattern(pattern: ASTNode | undefined): string | undefined {
  return pattern?.op === 'value' && typeof pattern.args === 'string' ? patternFault(pattern.args) : undefined;
}

/** A rule that does as the server does, where it can be checked. */
function checkedProgram(source: string, environment: Environment) {
  const program = environment.parse(source);
  const nodes = nodesOf(program.ast);
  typeTimesIn(nodes);
  typeEmptyIn(nodes);
  checkAccessIn(nodes);
  const { valid, error } = program.check();
  if (!valid) return { program, error: error ?? new Error(source) };
  compareTextsIn(nodes);
  joinListsIn(nodes);
  computeTimesIn(nodes);
  keepKeysIn(nodes);
  limitWholesIn(nodes);
  return { program };
}

function refused(error: unknown, source: string): CompiledExpression {
  const fault = faultOf(error, ourText(error) ?? source, (name) => knownFunctions.has(name));
  const shift = shiftBefore(ourText(error) ?? '', fault.at);
  return faulty(source, firstLine(error), { ...fault, at: fault.at - shift });
}

function faulty(source: string, fault: string, at: CompileFault): CompiledExpression {
  const words = `compilation failed: ${showFault(at, source)}`;
  return { state: 'faulty', fault: `compilation failed: ${fault}`, words };
}

/** The text that the library saw, in which some functions have names of ours. */
function ourText(error: unknown): string | undefined {
  return (error as { readonly node?: { readonly input?: string } }).node?.input;
}

function firstLine(error: unknown): string {
  return withTheirFunctions((error instanceof Error ? error.message : String(error)).split('\n')[0]!);
}

/** `node` and all below it. */
export function nodesOf(node: ASTNode): ASTNode[] {
  return [node, ...operandsOf(node.args).flatMap(nodesOf)];
}

function operandsOf(args: unknown): ASTNode[] {
  if (Array.isArray(args)) return args.flatMap(operandsOf);
  return args !== null && typeof args === 'object' && 'op' in args ? [args as ASTNode] : [];
}

/** Functions of Kubernetes that the library cannot express, by name. */
const unknownFunctions = new Set(
  (
    'optMap optFlatMap ofNonZeroValue sortBy transformList transformMap transformMapEntry semver isSemver ' +
    'validate unwrapOpt major minor patch'
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
function foreignHere(node: ASTNode): CompileFault | undefined {
  if (node.op === 'call') return badLiteral(node.args[0], node.args[1][0]);
  if (node.op !== 'rcall') return undefined;
  const [name, receiver, args] = node.args;
  const undeclared = (what: string, at: number) => ({
    message: `undeclared reference to '${what}' (in container '')`,
    at,
  });
  if (receiver.op === 'id' && receiver.args === 'cel') return undeclared('cel', receiver.start);
  if (/^(json|hex|base64|at|string)$/.test(name)) return undeclared(name, receiver.end + name.length + 1);
  return /^(matches|find|findAll)$/.test(name) ? badPattern(name, args[0]) : undefined;
}

function badPattern(name: string, pattern: ASTNode | undefined): CompileFault | undefined {
  return pattern && faultOfPattern(pattern) !== undefined
    ? { message: `invalid ${name} argument`, at: pattern.start }
    : undefined;
}

/** A number of more than 64 bits: the library takes it, however long. A minus before it is a part of it. */
function longNumber(node: ASTNode, all: readonly ASTNode[]): CompileFault | undefined {
  if (node.op !== 'value' || typeof node.args !== 'bigint' || isInt(node.args)) return undefined;
  const isNegative = all.some(
    (other) => other.op === '-_' && other.args === node && other.end - other.start === node.end - node.start + 1,
  );
  return isNegative && isInt(-node.args) ? undefined : { message: 'invalid int literal', at: node.start };
}

/** `0XFF`, of which only a small letter makes a number. */
function largeX({ op, start }: ASTNode, source: string): CompileFault | undefined {
  if (op !== 'value' || !source.startsWith('0X', start)) return undefined;
  const [rest = ''] = /^\w+/.exec(source.slice(start + 1)) ?? [];
  return { message: `Syntax error: mismatched input '${rest}' expecting <EOF>`, at: start + 1 };
}

/** To the server a choice between two others needs brackets around the first of them. */
function bareChoice(node: ASTNode, source: string): CompileFault | undefined {
  if (node.op !== '?:') return undefined;
  const [condition, chosen] = node.args;
  if (chosen.op !== '?:') return undefined;
  const between = source.slice(condition.end, chosen.start);
  if (between.slice(between.indexOf('?')).includes('(')) return undefined;
  return {
    message: "Syntax error: mismatched input '?' expecting ':'",
    at: source.indexOf('?', chosen.args[0].end),
  };
}

/** The server looks at durations and times that are written out when it compiles a rule. */
function badLiteral(name: string, argument: ASTNode | undefined): CompileFault | undefined {
  if (argument?.op !== 'value' || typeof argument.args !== 'string') return undefined;
  const isBad =
    (name === 'duration' && !isGoDuration(argument.args)) || (name === 'timestamp' && !isTimestamp(argument.args));
  return isBad ? { message: `invalid ${name} argument`, at: argument.start } : undefined;
}

/** Functions of CEL and of Kubernetes, as opposed to mistyped ones. */
const knownFunctions = new Set(
  (
    'abs all asApproximateFloat asInteger bool bytes charAt cidr compareTo contains containsCIDR containsIP double dyn ' +
    'duration endsWith exists exists_one filter find findAll format getDate getDayOfMonth getDayOfWeek getDayOfYear ' +
    'getEscapedPath getFullYear getHost getHostname getHours getMilliseconds getMinutes getMonth getPort getQuery ' +
    'getScheme getSeconds has hasValue indexOf int ip isCIDR isGreaterThan isInteger isIP isLessThan isQuantity ' +
    'isSorted isURL join lastIndexOf lowerAscii map masked matches max min orValue prefixLength quantity replace sign ' +
    'size split startsWith string sub substring sum timestamp trim type uint upperAscii url value'
  ).split(' '),
);
