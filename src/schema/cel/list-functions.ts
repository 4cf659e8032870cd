import { type Environment, Optional } from '@marcbachmann/cel-js';
import { compareBytes } from './bytes-order.js';
import { unsigned, withinInt } from './conversions.js';
import { type Duration, durationClass } from './duration-class.js';
import { compareTexts } from './text-order.js';
import { durationOf, nanosecondsOf } from './times.js';
import { UnfitValue } from './unfit-value.js';
import { celEqual } from './values.js';

type Comparable = bigint | number | string | boolean | Date | Duration | Uint8Array;

const comparable = [
  'int',
  'uint',
  'double',
  'bool',
  'google.protobuf.Duration',
  'google.protobuf.Timestamp',
  'string',
  'bytes',
];

/** The functions on lists that Kubernetes adds, those of cel-go's extended lists, and its sets. */
export function registerListFunctions(environment: Environment): void {
  for (const type of comparable) {
    environment.registerFunction(`list<${type}>.isSorted(): bool`, (list: readonly Comparable[]) =>
      list.every((item, index) => index === 0 || order(list[index - 1]!, item) <= 0),
    );
    environment.registerFunction(`list<${type}>.min(): ${type}`, (list: readonly Comparable[]) =>
      extreme(list, 'min', (a, b) => order(a, b) < 0),
    );
    environment.registerFunction(`list<${type}>.max(): ${type}`, (list: readonly Comparable[]) =>
      extreme(list, 'max', (a, b) => order(a, b) > 0),
    );
    environment.registerFunction(`list<${type}>.sort(): list<${type}>`, (list: readonly Comparable[]) =>
      [...list].sort(order),
    );
  }
  registerSums(environment);
  // Renamed with those of texts.
  environment.registerFunction('list<A>.indexOfGo(A): int', (list: readonly unknown[], item: unknown) =>
    BigInt(list.findIndex((other) => celEqual(other, item))),
  );
  environment.registerFunction('list<A>.lastIndexOfGo(A): int', (list: readonly unknown[], item: unknown) =>
    BigInt(list.findLastIndex((other) => celEqual(other, item))),
  );
  registerExtendedLists(environment);
  registerSets(environment);
}

function registerSums(environment: Environment): void {
  const add = <T>(type: string, plus: (a: T, b: T) => T, nothing: () => T) =>
    environment.registerFunction(`list<${type}>.sum(): ${type}`, (list: readonly T[]) => {
      refuseUnfit(list);
      return list.reduce(plus, nothing());
    });
  add<bigint>(
    'int',
    (a, b) => withinInt(a + b),
    () => 0n,
  );
  add<number>(
    'double',
    (a, b) => a + b,
    () => 0,
  );
  add<object>(
    'uint',
    (a, b) => unsigned((a.valueOf() as bigint) + (b.valueOf() as bigint)),
    () => unsigned(0n),
  );
  add<Duration>(
    'google.protobuf.Duration',
    (a, b) => durationOf(nanosecondsOf(a) + nanosecondsOf(b)),
    () => durationOf(0n),
  );
}

function registerExtendedLists(environment: Environment): void {
  environment.registerFunction(
    'list<A>.slice(int, int): list<A>',
    (list: readonly unknown[], from: bigint, to: bigint) => {
      const refused = (why: string) => new Error(`cannot slice(${from}, ${to}), ${why}`);
      if (from < 0n || to < 0n) throw refused('negative indexes not supported');
      if (from > to) throw refused('start index must be less than or equal to end index');
      if (to > BigInt(list.length)) throw refused(`list is length ${list.length}`);
      return list.slice(Number(from), Number(to));
    },
  );
  environment.registerFunction('list<A>.reverse(): list<A>', (list: readonly unknown[]) => [...list].reverse());
  environment.registerFunction('list<A>.distinct(): list<A>', (list: readonly unknown[]) =>
    list.filter((item, index) => list.findIndex((other) => celEqual(item, other)) === index),
  );
  environment.registerFunction('list<A>.first(): optional<A>', (list: readonly unknown[]) => Optional.of(list[0]));
  environment.registerFunction('list<A>.last(): optional<A>', (list: readonly unknown[]) => Optional.of(list.at(-1)));
  environment.registerFunction('list<list<A>>.flatten(): list<A>', (list: readonly (readonly unknown[])[]) =>
    list.flat(1),
  );
}

function registerSets(environment: Environment): void {
  class SetsNamespace {}
  environment.registerType('SetsNamespace', SetsNamespace);
  environment.registerConstant('sets', 'SetsNamespace', new SetsNamespace());
  const contains = (list: readonly unknown[], part: readonly unknown[]) =>
    part.every((item) => list.some((other) => celEqual(item, other)));
  environment.registerFunction(
    'SetsNamespace.contains(list<A>, list<A>): bool',
    (_: unknown, list: readonly unknown[], part: readonly unknown[]) => contains(list, part),
  );
  environment.registerFunction(
    'SetsNamespace.equivalent(list<A>, list<A>): bool',
    (_: unknown, a: readonly unknown[], b: readonly unknown[]) => contains(a, b) && contains(b, a),
  );
  environment.registerFunction(
    'SetsNamespace.intersects(list<A>, list<A>): bool',
    (_: unknown, a: readonly unknown[], b: readonly unknown[]) =>
      a.some((item) => b.some((other) => celEqual(item, other))),
  );
}

/** Items may be null where their schema lets them, or not what it says: nothing is more or less than those, or can be added to them. */
function refuseUnfit(items: readonly unknown[]): void {
  if (items.some((item) => item === null || item instanceof UnfitValue)) throw new Error('no such overload: null');
}

function order(a: Comparable, b: Comparable): number {
  refuseUnfit([a, b]);
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b);
  const [left, right] = [a, b].map((each) => (isTime(each) ? nanosecondsOf(each) : each)) as [Comparable, Comparable];
  return left < right ? -1 : left > right ? 1 : 0;
}

function isTime(value: Comparable): value is Date | Duration {
  return value instanceof Date || value instanceof durationClass();
}

function extreme(
  list: readonly Comparable[],
  name: string,
  isBetter: (a: Comparable, b: Comparable) => boolean,
): Comparable {
  const [first, ...rest] = list;
  if (first === undefined) throw new Error(`${name} called on empty list`);
  return rest.reduce((best, item) => (isBetter(item, best) ? item : best), first);
}
