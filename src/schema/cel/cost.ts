// Longer than most files: one walk over one data structure, which has to follow cel-go's checker/cost.go step by step.
import { type CallNode, callCost } from './call-cost.js';
import type { DeclType } from './decl-type.js';
import { selectedName } from './escape.js';
import { type Estimate, either, fixed, nothing, product, sum, unknownSize } from './estimate.js';
import { accumulator, type CelType, type Expression } from './expression.js';

/** What an expression costs at most, in the units of the API server's budget, when `self` has the given type. */
export function maxCostOf(expression: Expression, self: DeclType): number {
  return new Coster(self).cost(expression).max;
}

type Path = readonly string[];

/** How large the keys and values of a list or a map that an expression builds are. */
interface EntrySize {
  readonly container: 'list' | 'map';
  readonly key: Estimate;
  readonly value: Estimate;
}

interface Variable {
  readonly path: Path;
  readonly size: Estimate | undefined;
  readonly entrySize: EntrySize | undefined;
}

class Coster {
  private readonly paths = new Map<Expression, Path>();
  private readonly sizes = new Map<Expression, Estimate>();
  private readonly entrySizes = new Map<Expression, EntrySize>();
  private readonly scopes = new Map<string, Variable[]>();

  constructor(private readonly self: DeclType) {}

  cost(e: Expression): Estimate {
    switch (e.kind) {
      case 'literal':
        return nothing;
      case 'identifier':
        this.paths.set(e, this.variable(e.name)?.path ?? [e.name]);
        return fixed(1);
      case 'select': {
        const operand = this.cost(e.operand);
        if (e.isTest) return operand;
        this.paths.set(e, [...this.pathOf(e.operand), e.field]);
        return e.operand.type.kind === 'map' || e.operand.type.kind === 'struct' ? sum(operand, fixed(1)) : operand;
      }
      case 'call':
        return this.costOfCall(e);
      case 'list': {
        const costs = e.items.map((item) => this.cost(item));
        const sizes = e.items.map((item) => this.sizeOrUnknown(item));
        this.entrySizes.set(e, { container: 'list', key: fixed(1), value: unionOf(sizes) });
        return sum(...costs, fixed(10));
      }
      case 'map': {
        const costs = e.entries.flatMap(([key, value]) => [this.cost(key), this.cost(value)]);
        this.entrySizes.set(e, {
          container: 'map',
          key: unionOf(e.entries.map(([key]) => this.sizeOrUnknown(key))),
          value: unionOf(e.entries.map(([, value]) => this.sizeOrUnknown(value))),
        });
        return sum(...costs, fixed(30));
      }
      case 'comprehension':
        return this.costOfComprehension(e);
    }
  }

  private costOfComprehension(e: Expression & { readonly kind: 'comprehension' }): Estimate {
    const range = this.cost(e.range);
    const init = this.cost(e.init);
    this.push(accumulator, {
      path: this.pathOf(e.init),
      size: this.sizeOf(e.init),
      entrySize: this.entrySizeOf(e.init),
    });
    const entries = this.entrySizeOf(e.range);
    const isList = (entries?.container ?? e.range.type.kind) === 'list';
    this.push(e.variable, {
      path: [...this.pathOf(e.range), isList ? '@items' : '@keys'],
      size: isList ? entries?.value : entries?.key,
      entrySize: undefined,
    });
    const turn = sum(this.cost(e.step), this.cost(e.condition));
    this.pop(e.variable);
    const result = this.cost(e.result);
    this.pop(accumulator);

    const times = this.sizeOrUnknown(e.range);
    if (e.init.kind === 'literal') this.setSize(e, this.sizeOf(e.init));
    else if (e.init.kind === 'list') {
      this.setSize(e, times);
      const step = this.entrySizeOf(e.step);
      if (step) this.entrySizes.set(e, step);
    }
    return sum(range, init, result, product(times, turn));
  }

  private costOfCall(e: Expression & { readonly kind: 'call' }): Estimate {
    if (e.name === 'dyn' && e.args[0]) {
      const cost = this.cost(e.args[0]);
      this.setSize(e, this.sizeOf(e.args[0]));
      const entries = this.entrySizeOf(e.args[0]);
      if (entries) this.entrySizes.set(e, entries);
      return sum(fixed(1), cost);
    }
    const costs = e.args.map((arg) => this.cost(arg));
    const args = e.args.map((arg) => this.nodeOf(arg));
    const target = e.target && { cost: this.cost(e.target), node: this.nodeOf(e.target) };
    const overloads = overloadsOf(e);
    const estimates = overloads.map((overload) =>
      callCost({ overload, name: e.name, target: target?.node, args, costs }),
    );
    let size = estimates.map((each) => each.size).reduce((a, b) => (a && b ? either(a, b) : (a ?? b)), undefined);
    for (const overload of overloads) {
      if (overload === 'index_list' || overload === 'index_map') {
        size = this.entrySizeOf(e.args[0]!)?.value;
        this.paths.set(e, [...this.pathOf(e.args[0]!), overload === 'index_list' ? '@items' : '@values']);
      }
      size ??= this.sizeOf(e);
    }
    this.setSize(e, size);
    this.keepEntrySizes(e, e);
    const own = estimates.map((each) => each.cost).reduce(either);
    return sum(target?.cost ?? nothing, own);
  }

  /** A choice and a sum have the entries of both sides. */
  private keepEntrySizes({ name, args }: Expression & { readonly kind: 'call' }, e?: Expression): void {
    const sides = name === '_?_:_' ? args.slice(1) : name === '_+_' ? args : [];
    const [a, b] = sides.map((side) => this.entrySizeOf(side));
    if (!a || !b || e === undefined) return;
    this.entrySizes.set(e, { container: a.container, key: either(a.key, b.key), value: either(a.value, b.value) });
  }

  private nodeOf(e: Expression): CallNode {
    const path = this.pathOf(e);
    return {
      type: e.type,
      expression: e,
      size: this.sizeOf(e),
      elementSize: () => (path.length > 0 && path[0] !== accumulator ? this.declared([...path, '@items']) : undefined),
    };
  }

  private sizeOrUnknown(e: Expression): Estimate {
    return this.sizeOf(e) ?? unknownSize;
  }

  private sizeOf(e: Expression): Estimate | undefined {
    const known = this.sizes.get(e);
    if (known) return known;
    if (e.kind === 'literal') return fixed(e.size);
    if (e.kind === 'list') return fixed(e.items.length);
    if (e.kind === 'map') return fixed(e.entries.length);
    const declared = this.declared(this.pathOf(e));
    if (declared) {
      this.sizes.set(e, declared);
      return declared;
    }
    if (isScalar(e.type)) return fixed(1);
    return e.kind === 'identifier' ? this.variable(e.name)?.size : undefined;
  }

  /** What the schema says about the size of a field: nothing, when the path leads out of it. */
  private declared(path: Path): Estimate | undefined {
    if (path.length === 0) return undefined;
    let type: DeclType | undefined = this.self;
    let isKey = false;
    for (const name of path.slice(1)) {
      if (isKey) return undefined;
      if (name === '@keys') {
        if (type?.kind !== 'map') return undefined;
        isKey = true;
      } else if (name === '@items' || name === '@values') type = type?.element;
      else type = type?.fields?.get(selectedName(name))?.type;
      if (type === undefined) return undefined;
    }
    // The server knows no limit of keys, and takes them to be of no size.
    return { min: 0, max: isKey ? 0 : type.maxElements };
  }

  private entrySizeOf(e: Expression): EntrySize | undefined {
    return this.entrySizes.get(e) ?? (e.kind === 'identifier' ? this.variable(e.name)?.entrySize : undefined);
  }

  private pathOf(e: Expression): Path {
    return (e.kind === 'identifier' ? this.variable(e.name)?.path : undefined) ?? this.paths.get(e) ?? [];
  }

  private setSize(e: Expression, size: Estimate | undefined): void {
    if (size) this.sizes.set(e, size);
  }

  private variable(name: string): Variable | undefined {
    return this.scopes.get(name)?.at(-1);
  }

  private push(name: string, variable: Variable): void {
    this.scopes.set(name, [...(this.scopes.get(name) ?? []), variable]);
  }

  private pop(name: string): void {
    this.scopes.set(name, this.scopes.get(name)?.slice(0, -1) ?? []);
  }
}

function unionOf(sizes: readonly Estimate[]): Estimate {
  return sizes.length === 0 ? nothing : sizes.reduce(either);
}

function isScalar({ kind, element }: CelType): boolean {
  if (kind === 'optional') return element !== undefined && isScalar(element);
  return (
    kind === 'bool' ||
    kind === 'double' ||
    kind === 'duration' ||
    kind === 'int' ||
    kind === 'timestamp' ||
    kind === 'uint'
  );
}

/** Which variants of a function may be meant, as far as their costs differ: a `dyn` may be anything. */
function overloadsOf({ name, args, target }: Expression & { readonly kind: 'call' }): readonly string[] {
  const kinds = args.map(({ type }) => type.kind);
  const has = (...some: CelType['kind'][]) => kinds.some((kind) => some.includes(kind));
  const isOpen = kinds.every((kind) => kind === 'dyn');
  switch (name) {
    case '_==_':
    case '_!=_':
      return ['equals'];
    case '_<_':
    case '_<=_':
    case '_>_':
    case '_>=_':
      return has('string', 'bytes') ? ['compare_text'] : isOpen ? ['compare_text', 'default'] : ['default'];
    case '_+_':
      if (has('string', 'bytes')) return ['add_text'];
      return has('list') ? ['add_list'] : isOpen ? ['add_text', 'add_list', 'default'] : ['default'];
    case '_[_]':
      return kinds[0] === 'list' ? ['index_list'] : kinds[0] === 'map' ? ['index_map'] : ['index_list', 'index_map'];
    case '@in':
      return kinds[1] === 'list' ? ['in_list'] : kinds[1] === 'map' ? ['default'] : ['in_list', 'default'];
    case 'string':
      return kinds[0] === 'bytes' ? ['bytes_to_string'] : isOpen ? ['bytes_to_string', 'default'] : ['default'];
    case 'bytes':
      return kinds[0] === 'string' ? ['string_to_bytes'] : isOpen ? ['string_to_bytes', 'default'] : ['default'];
    case 'containsIP':
    case 'containsCIDR':
      return [kinds[0] === 'string' ? 'text' : 'default'];
    case 'ip':
      return [target ? 'cidr_ip' : 'default'];
    default:
      return ['default'];
  }
}
