// One table, that of the API server's pkg/cel/library/cost.go and cel-go's functionCost.
import { type Estimate, either, fixed, nothing, product, scaled, sum, unknownSize } from './estimate.js';
import type { CelType, Expression } from './expression.js';

/** An argument of a call. */
export interface CallNode {
  readonly type: CelType;
  readonly expression: Expression;
  readonly size: Estimate | undefined;
  /** The size of the items of a list, where the schema says it. */
  readonly elementSize: () => Estimate | undefined;
}

export interface Call {
  readonly overload: string;
  readonly name: string;
  readonly target: CallNode | undefined;
  readonly args: readonly CallNode[];
  readonly costs: readonly Estimate[];
}

export interface CallEstimate {
  readonly cost: Estimate;
  readonly size?: Estimate | undefined;
}

/** Reading a character of a text costs a tenth, a character of a regular expression a quarter. */
const perCharacter = 0.1;
const perPatternCharacter = 0.25;

/** What one call costs, its arguments included, and how large its result is. */
export function callCost(call: Call): CallEstimate {
  const arguments_ = sum(...call.costs);
  const own = kubernetesCost(call) ?? languageCost(call);
  if (own === undefined) return { cost: sum(fixed(1), arguments_) };
  return own.includesArguments ? own : { cost: sum(own.cost, arguments_), size: own.size };
}

type OwnEstimate = CallEstimate & { readonly includesArguments?: true };

function sizeOf(node: CallNode | undefined): Estimate {
  return node?.size ?? unknownSize;
}

const nominal = new Set(
  (
    'sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch getScheme ' +
    'getHostname getHost getPort getEscapedPath getQuery masked prefixLength family isUnspecified isLoopback ' +
    'isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast format.named'
  ).split(' '),
);

function kubernetesCost({ name, overload, target, args }: Call): OwnEstimate | undefined {
  if (nominal.has(name)) return { cost: fixed(1) };
  const [first, second] = args;
  switch (name) {
    case 'isSorted':
    case 'sum':
    case 'max':
    case 'min':
    case 'indexOf':
    case 'lastIndexOf':
      return target && { cost: traversal(target) };
    case 'url':
      return { cost: scaled(sizeOf(first), perCharacter), size: sizeOf(first) };
    case 'lowerAscii':
    case 'upperAscii':
    case 'substring':
    case 'trim':
      return target && { cost: scaled(sizeOf(target), perCharacter), size: sizeOf(target) };
    case 'replace':
      return (
        target && {
          cost: scaled(sizeOf(target), 2 * perCharacter),
          size: replaced(sizeOf(target), sizeOf(first), sizeOf(second)),
        }
      );
    case 'split': {
      const max = wholeLiteral(second) ?? sizeOf(target).max;
      return target && { cost: scaled(sizeOf(target), 2 * perCharacter), size: { min: 0, max } };
    }
    case 'join':
      return target && joined(target, first);
    case 'find':
    case 'findAll':
      return target && { cost: matching(target, first), size: { min: 0, max: sizeOf(target).max } };
    case 'ip':
      return { cost: overload === 'cidr_ip' ? fixed(1) : scaled(sizeOf(first), perCharacter) };
    case 'ip.isCanonical':
      return { cost: scaled(sizeOf(first), 2 * perCharacter) };
    case 'cidr':
    case 'isIP':
    case 'isCIDR':
    case 'quantity':
    case 'isQuantity':
      return { cost: scaled(sizeOf(first), perCharacter) };
    case 'containsIP':
    case 'containsCIDR':
      return { cost: containment(name, overload, first) };
    case 'slice': {
      const [from, to] = [first, second].map((node) => wholeLiteral(node));
      return target && listCall(fixed((to ?? sizeOf(target).max) - (from ?? 0)), 1);
    }
    case 'reverse':
    case 'flatten':
      return target && listCall(sizeOf(target), 1);
    case 'distinct':
      return target && listCall(product(sizeOf(target), sizeOf(target)), 2);
    case 'sort': {
      const isText = /^(string|bytes)$/.test(target?.type.element?.kind ?? '');
      return target && listCall(product(sizeOf(target), sizeOf(target)), isText ? 2 + perCharacter : 2);
    }
    case 'sets.contains':
    case 'sets.intersects':
    case 'sets.equivalent': {
      const pairs = product(sizeOf(first), sizeOf(second));
      return { cost: sum(scaled(pairs, name === 'sets.equivalent' ? 2 : 1), fixed(1)) };
    }
    case '_==_':
      return constantEquality(first, second) ? { cost: fixed(1) } : undefined;
    default:
      return undefined;
  }
}

function traversal(target: CallNode): Estimate {
  const element = target.type.element;
  if (element === undefined) return scaled(sizeOf(target), perCharacter);
  const isText = element.kind === 'string' || element.kind === 'bytes';
  const item = isText ? sum(fixed(1), scaled(target.elementSize() ?? unknownSize, perCharacter)) : fixed(1);
  return product(sizeOf(target), item);
}

/** A call that builds a list. */
function listCall(size: Estimate, factor: number): CallEstimate {
  return { cost: sum(scaled(size, factor), fixed(11)), size };
}

function wholeLiteral(node: CallNode | undefined): number | undefined {
  const value = node?.expression.kind === 'literal' ? node.expression.value : undefined;
  return typeof value === 'bigint' ? Number(BigInt.asUintN(64, value)) : undefined;
}

function matching(text: CallNode, pattern: CallNode | undefined): Estimate {
  return product(scaled(sum(sizeOf(text), fixed(1)), perCharacter), scaled(sizeOf(pattern), perPatternCharacter));
}

function joined(target: CallNode, separator: CallNode | undefined): CallEstimate {
  const count = sizeOf(target);
  let size = target.type.element ? product(count, target.elementSize() ?? unknownSize) : nothing;
  if (separator) {
    const gaps = { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) };
    size = sum(size, product(sizeOf(separator), gaps));
  }
  return { cost: scaled(size, perCharacter), size };
}

function replaced(text: Estimate, from: Estimate, to: Estimate): Estimate {
  const grows = from.min === 0 ? text.max + 1 : to.max <= from.min ? 0 : Math.ceil(text.max / from.min);
  const keepsMax = from.min === 0 || to.max <= from.min ? text.max : 0;
  const shrinks = from.max === 0 ? text.min + 1 : from.max <= to.min ? 0 : Math.ceil(text.min / from.max);
  const keepsMin = from.max === 0 || from.max <= to.min ? text.min : 0;
  return sum(product({ min: shrinks, max: grows }, to), { min: keepsMin, max: keepsMax });
}

function containment(name: string, overload: string, other: CallNode | undefined): Estimate {
  const bytes = { min: 4, max: 16 };
  const parse = overload === 'text' ? scaled(sizeOf(other), perCharacter) : nothing;
  const compare = scaled(sum(bytes, bytes), perCharacter);
  return name === 'containsIP' ? sum(compare, parse) : sum(compare, scaled(bytes, perCharacter), fixed(1), parse);
}

function constantEquality(a: CallNode | undefined, b: CallNode | undefined): boolean {
  const name = a?.type.name;
  return name !== undefined && name === b?.type.name && /^(net\.IP|net\.CIDR|kubernetes\.Quantity)$/.test(name);
}

function languageCost({ name, overload, target, args, costs }: Call): OwnEstimate | undefined {
  const [first, second, third] = args;
  const [a = nothing, b = nothing, c = nothing] = costs;
  switch (overload) {
    case 'in_list':
      return { cost: sizeOf(second) };
    case 'add_text':
    case 'add_list': {
      const size = sum(sizeOf(first), sizeOf(second));
      return { cost: overload === 'add_list' ? fixed(1) : scaled(size, perCharacter), size };
    }
    case 'bytes_to_string': {
      const { min, max } = sizeOf(first);
      return { cost: scaled(sizeOf(first), perCharacter), size: { min: Math.floor(min / 4), max } };
    }
    case 'string_to_bytes': {
      const { min, max } = sizeOf(first);
      return { cost: scaled(sizeOf(first), perCharacter), size: { min, max: max * 4 } };
    }
    case 'equals':
    case 'compare_text': {
      const smaller = Math.min(sizeOf(first).max, sizeOf(second).max);
      return { cost: scaled({ min: smaller > 0 ? 1 : 0, max: smaller }, perCharacter) };
    }
  }
  switch (name) {
    case 'startsWith':
    case 'endsWith':
      return { cost: scaled(sizeOf(first), perCharacter) };
    case 'matches': {
      // Before 1.37 a server counted `matches(text, pattern)` as a call of something short.
      const [text, pattern] = target ? [target, first] : [first, second];
      return text && { cost: matching(text, pattern) };
    }
    case 'contains':
      return target && { cost: product(scaled(sizeOf(target), perCharacter), scaled(sizeOf(first), perCharacter)) };
    case 'format':
      return target && { cost: scaled(sizeOf(target), perCharacter) };
    case 'strings.quote':
      return { cost: scaled(sizeOf(first), perCharacter), size: quoted(sizeOf(first)) };
    case '_&&_':
    case '_||_':
      return { cost: { min: a.min, max: sum(a, b).max }, includesArguments: true };
    case '_?_:_':
      return { cost: sum(a, either(b, c)), size: either(sizeOf(second), sizeOf(third)), includesArguments: true };
    default:
      return undefined;
  }
}

function quoted({ min, max }: Estimate): Estimate {
  return { min: min + 2, max: max * 2 + 2 };
}
