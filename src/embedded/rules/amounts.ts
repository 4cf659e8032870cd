import { compareQuantities, parseQuantity, showQuantity } from '../../kube/quantity.js';
import type { FieldProblem } from '../../schema/field-problem.js';
import { refuse } from './refuse.js';
import { isWhole } from './resource-names.js';

/** Amounts of resources by name, as `resources.requests` has them. */
export type Amounts = Readonly<Record<string, string | number>>;

/** An amount as the server writes it in a message. */
export function shownAmount(amount: string | number): string {
  return showQuantity(parseQuantity(String(amount)));
}

export function compareAmounts(a: string | number, b: string | number): number {
  return compareQuantities(String(a), String(b));
}

export function negativeProblems(path: string, amount: string | number): readonly FieldProblem[] {
  if (compareAmounts(amount, '0') >= 0) return [];
  return [refuse.invalid(path, shownAmount(amount), 'must be greater than or equal to 0')];
}

export function notPositiveProblems(path: string, amount: string | number): readonly FieldProblem[] {
  if (compareAmounts(amount, '0') > 0) return [];
  return [refuse.invalid(path, shownAmount(amount), 'must be greater than zero')];
}

/** What is wrong with the amount of a resource, some of which come in whole numbers only. */
export function amountProblems(path: string, resource: string, amount: string | number): readonly FieldProblem[] {
  const problems = [...negativeProblems(path, amount)];
  if (isWhole(resource) && !isInteger(amount)) {
    problems.push(refuse.invalid(path, shownAmount(amount), 'must be an integer'));
  }
  return problems;
}

/** A resource by name, in the order of names: the server's own order is that of chance. */
export function sortedNames(amounts: object | undefined): readonly string[] {
  return amounts === undefined ? [] : Object.keys(amounts).sort();
}

function isInteger(amount: string | number): boolean {
  const { unscaled, exponent } = parseQuantity(String(amount));
  // To a thousandth, rounded up, which is as exactly as the server looks.
  const thousandths = exponent >= -3 ? unscaled * 10n ** BigInt(exponent + 3) : roundedUp(unscaled, -3 - exponent);
  return thousandths % 1000n === 0n;
}

/** Away from zero, as the server rounds. */
function roundedUp(value: bigint, digits: number): bigint {
  const divisor = 10n ** BigInt(digits);
  const quotient = value / divisor;
  if (value % divisor === 0n) return quotient;
  return value < 0n ? quotient - 1n : quotient + 1n;
}

/** An amount in whole units, rounded away from zero. */
export function wholeAmount(amount: string | number): bigint {
  const { unscaled, exponent } = parseQuantity(String(amount));
  return exponent >= 0 ? unscaled * 10n ** BigInt(exponent) : roundedUp(unscaled, -exponent);
}
