import type { Environment } from '@marcbachmann/cel-js';
import {
  addQuantities,
  compareQuantities,
  negatedQuantity,
  parseQuantity,
  type Quantity,
  wholeQuantity,
} from '../../kube/quantity.js';
import { quantityFault } from '../../kube/quantity-fault.js';

/** A quantity as a value of CEL. */
class CelQuantity {
  constructor(readonly amount: Quantity) {}
}

/** `quantity('500m').isLessThan(quantity('1'))` and its companions. */
export function registerQuantityFunctions(environment: Environment): void {
  const type = 'kubernetes.Quantity';
  environment.registerType(type, CelQuantity);
  const compare = (a: CelQuantity, b: CelQuantity) => compareQuantities(a.amount, b.amount);
  const plus = (a: CelQuantity, b: Quantity) => new CelQuantity(addQuantities(a.amount, b));
  const whole = (value: bigint): Quantity => ({ unscaled: value, exponent: 0, format: 'DecimalSI' });
  environment.registerFunction(`quantity(string): ${type}`, (text: string) => new CelQuantity(quantityOf(text)));
  environment.registerFunction('isQuantity(string): bool', (text: string) => isQuantity(text));
  environment.registerFunction(`sign(${type}): int`, (a: CelQuantity) => BigInt(compareQuantities(a.amount, '0')));
  environment.registerFunction(`${type}.compareTo(${type}): int`, (a: CelQuantity, b: CelQuantity) =>
    BigInt(compare(a, b)),
  );
  environment.registerFunction(
    `${type}.isGreaterThan(${type}): bool`,
    (a: CelQuantity, b: CelQuantity) => compare(a, b) > 0,
  );
  environment.registerFunction(
    `${type}.isLessThan(${type}): bool`,
    (a: CelQuantity, b: CelQuantity) => compare(a, b) < 0,
  );
  environment.registerFunction(`${type}.isInteger(): bool`, (a: CelQuantity) => wholeQuantity(a.amount) !== undefined);
  environment.registerFunction(`${type}.asInteger(): int`, (a: CelQuantity) => {
    const value = wholeQuantity(a.amount);
    if (value === undefined) throw new Error('cannot convert value to integer');
    return value;
  });
  environment.registerFunction(`${type}.asApproximateFloat(): double`, (a: CelQuantity) => {
    // A power that is computed may be one bit off what is written.
    return Number(a.amount.unscaled) * Number(`1e${a.amount.exponent}`);
  });
  environment.registerFunction(`${type}.add(${type}): ${type}`, (a: CelQuantity, b: CelQuantity) => plus(a, b.amount));
  environment.registerFunction(`${type}.add(int): ${type}`, (a: CelQuantity, b: bigint) => plus(a, whole(b)));
  environment.registerFunction(`${type}.sub(${type}): ${type}`, (a: CelQuantity, b: CelQuantity) =>
    plus(a, negatedQuantity(b.amount)),
  );
  environment.registerFunction(`${type}.sub(int): ${type}`, (a: CelQuantity, b: bigint) => plus(a, whole(-b)));
  environment.registerOperator(`${type} == ${type}`, (a: CelQuantity, b: CelQuantity) => compare(a, b) === 0);
}

function quantityOf(text: string): Quantity {
  try {
    return parseQuantity(text);
  } catch {
    throw new Error(quantityFault(text));
  }
}

function isQuantity(text: string): boolean {
  try {
    parseQuantity(text);
    return true;
  } catch {
    return false;
  }
}
