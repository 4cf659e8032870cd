/** The type of an expression, as far as its cost depends on it. */
export interface CelType {
  readonly kind:
    | 'bool'
    | 'bytes'
    | 'double'
    | 'duration'
    | 'dyn'
    | 'int'
    | 'list'
    | 'map'
    | 'null'
    | 'opaque'
    | 'optional'
    | 'string'
    | 'struct'
    | 'timestamp'
    | 'type'
    | 'uint';
  /** `net.IP`, for types that have only a name. */
  readonly name?: string;
  /** Of the items of a list, the values of a map, what is in an optional. */
  readonly element?: CelType;
}

/**
 * An expression in the form that cel-go gives it: macros are spelled out as comprehensions, and operators are calls.
 * The API server's estimate of costs is defined on this form, so it has to be reproduced node by node.
 */
export type Expression =
  | { readonly kind: 'literal'; readonly type: CelType; readonly size: number; readonly value: unknown }
  | { readonly kind: 'identifier'; readonly type: CelType; readonly name: string }
  | {
      readonly kind: 'select';
      readonly type: CelType;
      readonly operand: Expression;
      readonly field: string;
      readonly isTest: boolean;
    }
  | {
      readonly kind: 'call';
      readonly type: CelType;
      readonly name: string;
      readonly target?: Expression;
      readonly args: readonly Expression[];
    }
  | { readonly kind: 'list'; readonly type: CelType; readonly items: readonly Expression[] }
  | { readonly kind: 'map'; readonly type: CelType; readonly entries: readonly (readonly [Expression, Expression])[] }
  | {
      readonly kind: 'comprehension';
      readonly type: CelType;
      readonly range: Expression;
      readonly variable: string;
      readonly init: Expression;
      readonly condition: Expression;
      readonly step: Expression;
      readonly result: Expression;
    };

/** The name under which a comprehension keeps what it has so far; no author can write it. */
export const accumulator = '@result';

export const types = {
  bool: { kind: 'bool' },
  int: { kind: 'int' },
  dyn: { kind: 'dyn' },
  string: { kind: 'string' },
} as const satisfies Record<string, CelType>;

export function call(name: string, args: readonly Expression[], type: CelType): Expression {
  return { kind: 'call', name, args, type };
}

export function literal(value: unknown, type: CelType, size = 1): Expression {
  return { kind: 'literal', value, type, size };
}

/** `all`, `exists`, `exists_one`, `filter` and `map` as cel-go spells them out; undefined for any other name. */
export function spelledOut(
  name: string,
  range: Expression,
  variable: string,
  args: readonly Expression[],
  type: CelType,
): Expression | undefined {
  const result = (kind: CelType): Expression => ({ kind: 'identifier', name: accumulator, type: kind });
  const comprehension = (parts: { init: Expression; condition: Expression; step: Expression; result: Expression }) =>
    ({ kind: 'comprehension', type, range, variable, ...parts }) as const;
  const accu = () => result(types.bool);
  const [first, second] = args;
  if (first === undefined) return undefined;
  switch (name) {
    case 'all':
      return comprehension({
        init: literal(true, types.bool),
        condition: call('@not_strictly_false', [accu()], types.bool),
        step: call('_&&_', [accu(), first], types.bool),
        result: accu(),
      });
    case 'exists':
      return comprehension({
        init: literal(false, types.bool),
        condition: call('@not_strictly_false', [call('!_', [accu()], types.bool)], types.bool),
        step: call('_||_', [accu(), first], types.bool),
        result: accu(),
      });
    case 'exists_one': {
      const count = () => result(types.int);
      const one = literal(1n, types.int);
      return comprehension({
        init: literal(0n, types.int),
        condition: literal(true, types.bool),
        step: call('_?_:_', [first, call('_+_', [count(), one], types.int), count()], types.int),
        result: call('_==_', [count(), literal(1n, types.int)], types.bool),
      });
    }
    case 'filter':
    case 'map': {
      const item: Expression = { kind: 'identifier', name: variable, type: range.type.element ?? types.dyn };
      const [condition, value] = name === 'filter' ? [first, item] : second ? [first, second] : [undefined, first];
      const list = () => result(type);
      const grown = call('_+_', [list(), { kind: 'list', type, items: [value] }], type);
      return comprehension({
        init: { kind: 'list', type, items: [] },
        condition: literal(true, types.bool),
        step: condition ? call('_?_:_', [condition, grown, list()], type) : grown,
        result: list(),
      });
    }
    default:
      return undefined;
  }
}
