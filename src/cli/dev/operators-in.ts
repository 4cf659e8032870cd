import type { Operator } from '../../compose/operator.js';
import { OperatorError } from '../../kube/errors.js';
import { isMap } from '../../kube/plain-map.js';

/**
 * The operators that a module exports, each by itself or in a list, in the order of the exports' names. What it has for its
 * default is looked into: of a module that is CommonJS all exports are there.
 *
 * Throws `OperatorError` when there is none, or when two have one name: each is the field manager of its children.
 */
export function operatorsIn(exports: Readonly<Record<string, unknown>>, entry: string): readonly Operator[] {
  const { default: whole } = exports;
  const all = isMap(whole) ? { ...whole, ...exports } : exports;
  const found = new Set(
    Object.values(all)
      .flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value]))
      .filter(isOperator),
  );
  if (found.size === 0) {
    const names = Object.keys(all);
    throw new OperatorError(`${entry} exports no operator`, {
      hint: `it exports ${names.length === 0 ? 'nothing' : names.join(', ')}: export what operator(...) returns, or a list of such`,
    });
  }
  const operators = [...found];
  const twice = operators.find(({ name }, index) => operators.findIndex((each) => each.name === name) !== index);
  if (twice) {
    throw new OperatorError(`${entry} exports two operators named "${twice.name}"`, {
      hint: 'give one of them another name: operator(Kind, { name: ... })',
    });
  }
  return operators;
}

/** By its shape: an author's copy of kilter may be another than the one that runs it. */
function isOperator(value: unknown): value is Operator {
  if (typeof value !== 'object' || value === null) return false;
  const { name, resource, owns, composition } = value as Partial<Operator>;
  return (
    typeof name === 'string' &&
    Array.isArray(owns) &&
    typeof composition === 'function' &&
    typeof resource?.crd === 'function'
  );
}
