import type { ASTNode, Environment } from '@marcbachmann/cel-js';
import { isGoDuration } from '../duration.js';
import { type Duration, durationClass } from './duration-class.js';
import {
  durationOf,
  durationValue,
  isTimestamp,
  nanosecondsOf,
  offsetOf,
  showDuration,
  showTime,
  timeAt,
  timeValue,
} from './times.js';
import { celEqual } from './values.js';

const [timeType, durationType] = ['google.protobuf.Timestamp', 'google.protobuf.Duration'];

/** Conversions and comparisons of times and durations that the library leaves out. */
export function registerTimeFunctions(environment: Environment): void {
  environment.registerFunction(`stringGo(${timeType}): string`, showTime);
  environment.registerFunction(`intGo(${timeType}): int`, (value: Date) => BigInt(Math.floor(value.getTime() / 1000)));
  environment.registerFunction(`timestampGo(${timeType}): ${timeType}`, (value: Date) => value);
  environment.registerFunction(`timestampGo(int): ${timeType}`, (seconds: bigint) => timeAt(seconds * 1_000_000_000n));
  environment.registerFunction(`timestampGo(string): ${timeType}`, (text: string) => {
    if (!isTimestamp(text)) throw new Error(`type conversion error from 'string' to '${timeType}'`);
    return timeValue(text);
  });
  environment.registerFunction(`stringGo(${durationType}): string`, showDuration);
  environment.registerFunction(`intGo(${durationType}): int`, nanosecondsOf);
  environment.registerFunction(`durationGo(${durationType}): ${durationType}`, (value: Duration) => value);
  environment.registerFunction(`durationGo(string): ${durationType}`, (text: string) => {
    if (!isGoDuration(text)) throw new Error(`type conversion error from 'string' to '${durationType}'`);
    return durationValue(text);
  });
  for (const type of [timeType, durationType]) {
    environment.registerOperator(`${type} == null`, (value: unknown) => value === null);
  }
}

/** What the library hands to the check of a node, and leaves on one; it declares neither. */
interface Checked {
  check(checker: { getType(name: string): unknown }, node: ASTNode, context: unknown): unknown;
  readonly checkedType?: { readonly name: string };
  handle: (left: unknown, right: unknown, ...rest: unknown[]) => unknown;
}

/** Lets a span and a time make a time: to the library's check they make a span. For nodes that are not checked yet. */
export function typeTimesIn(nodes: readonly ASTNode[]): void {
  for (const node of nodes) {
    if (node.op !== '+') continue;
    const sum = node as unknown as Checked;
    const [, right] = node.args as unknown as readonly [Checked, Checked];
    const check = sum.check.bind(node);
    sum.check = (checker, itself, context) => {
      const type = check(checker, itself, context);
      return right.checkedType?.name === timeType ? checker.getType(timeType) : type;
    };
  }
}

/** Lets the operators among the nodes of a checked rule compute with times as Go does: to the nanosecond, and no further than it goes. */
export function computeTimesIn(nodes: readonly ASTNode[]): void {
  for (const node of nodes) {
    const compute = Object.hasOwn(operators, node.op) ? operators[node.op] : undefined;
    if (!compute) continue;
    const operation = node as unknown as Checked;
    const { handle } = operation;
    operation.handle = (left, right, ...rest) => compute(left, right) ?? handle(left, right, ...rest);
  }
}

/** Undefined where it is not about times. */
type Operator = (left: unknown, right: unknown) => unknown;

const comparing =
  (holds: (difference: bigint) => boolean): Operator =>
  (left, right) =>
    areAlike(left, right) ? holds(nanosecondsOf(left as Date) - nanosecondsOf(right as Date)) : undefined;

const areAlike = (left: unknown, right: unknown) =>
  (left instanceof Date && right instanceof Date) || (isSpan(left) && isSpan(right));
const isSpan = (value: unknown): value is Duration => value instanceof durationClass();
const holdsTimes = (value: unknown) =>
  (Array.isArray(value) || value instanceof Map) && [...value.values()].some((item) => item instanceof Date);

const operators: Readonly<Record<string, Operator>> = {
  '<': comparing((difference) => difference < 0n),
  '<=': comparing((difference) => difference <= 0n),
  '>': comparing((difference) => difference > 0n),
  '>=': comparing((difference) => difference >= 0n),
  '==': (left, right) => isSame(left, right),
  '!=': (left, right) => {
    const same = isSame(left, right);
    return same === undefined ? undefined : !same;
  },
  in: (left, right) =>
    left instanceof Date && Array.isArray(right) ? right.some((item) => celEqual(left, item)) : undefined,
  '+': (left, right) => {
    if (left instanceof Date && isSpan(right)) return later(left, nanosecondsOf(right));
    if (isSpan(left) && right instanceof Date) return later(right, nanosecondsOf(left));
    return isSpan(left) && isSpan(right) ? durationOf(nanosecondsOf(left) + nanosecondsOf(right)) : undefined;
  },
  '-': (left, right) => {
    if (left instanceof Date && isSpan(right)) return later(left, -nanosecondsOf(right));
    return areAlike(left, right) ? durationOf(nanosecondsOf(left as Date) - nanosecondsOf(right as Date)) : undefined;
  },
};

function isSame(left: unknown, right: unknown): boolean | undefined {
  const isMeant = (left instanceof Date && right instanceof Date) || holdsTimes(left);
  return isMeant ? celEqual(left, right) : undefined;
}

function later(time: Date, nanoseconds: bigint): Date {
  return timeAt(nanosecondsOf(time) + nanoseconds, offsetOf(time));
}
