import type { Json } from '../../kube/manifest.js';
import { isSameJson } from '../../schema/same-json.js';

/** A path into an object: what it leads to, which may be nothing or several values. */
export type JsonPath = (value: Json) => readonly Json[];

/**
 * Compiles a path as printer columns and field selectors have it: fields, indices, slices, wildcards, recursive descent
 * and filters. Keys that are not there lead to nothing. Returns undefined for what cannot be read.
 *
 * https://kubernetes.io/docs/reference/kubectl/jsonpath/
 */
export function jsonPath(source: string): JsonPath | undefined {
  const steps = stepsOf(source);
  if (!steps) return undefined;
  return (value) => {
    try {
      return walk(value, steps, 0);
    } catch (error) {
      if (error instanceof Unfit) return [];
      throw error;
    }
  };
}

/** What a path says cannot be done with what it comes upon, by which all of it leads to nothing. */
class Unfit extends Error {}

type Step = (value: Json) => readonly Json[];

function walk(value: Json, steps: readonly Step[], from: number): readonly Json[] {
  const step = steps[from];
  if (!step) return [value];
  const found = step(value);
  if (found.length === 1) return walk(found[0] as Json, steps, from + 1);
  return found.flatMap((each) => walk(each, steps, from + 1));
}

function stepsOf(source: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  let rest = source.trim();
  if (rest.startsWith('$')) rest = rest.slice(1);
  while (rest !== '') {
    if (rest === '.') return steps;
    const descent = /^\.\./.exec(rest);
    if (descent) {
      steps.push(everything);
      rest = rest.slice(1);
      if (rest.startsWith('.[')) rest = rest.slice(1);
      continue;
    }
    const field = /^\.((?:\\.|[^.[\]\\ (){}])+)/.exec(rest);
    if (field) {
      const name = field[1]!.replace(/\\(.)/g, '$1');
      steps.push(name === '*' ? children : fieldStep(name));
      rest = rest.slice(field[0].length);
      continue;
    }
    const end = closing(rest);
    if (end === undefined) return undefined;
    const found = bracket(rest.slice(1, end).trim());
    if (!found) return undefined;
    steps.push(...found);
    rest = rest.slice(end + 1);
  }
  return steps;
}

/** Where the bracket that opens `text` closes, quotes and brackets within it apart. */
function closing(text: string): number | undefined {
  if (!text.startsWith('[')) return undefined;
  let depth = 0;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!;
    if (quote !== '') {
      if (letter === '\\') at++;
      else if (letter === quote) quote = '';
    } else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === '[') depth++;
    else if (letter === ']' && --depth === 0) return at;
  }
  return undefined;
}

function bracket(inner: string): readonly Step[] | undefined {
  if (inner === '*') return [itemsOf];
  const filter = /^\?\((.*)\)$/s.exec(inner);
  if (filter) {
    const step = filterStep(filter[1]!.trim());
    return step && [step];
  }
  const quoted = /^'((?:\\.|[^'\\])*)'$/.exec(inner);
  if (quoted) return stepsOf(`.${quoted[1]}`);
  const parts = inner.split(',').map((each) => each.trim());
  if (parts.length > 1) {
    const all = parts.map(bracket);
    if (all.includes(undefined)) return undefined;
    return [(value) => all.flatMap((steps) => walk(value, steps!, 0))];
  }
  const slice = /^(-?\d+)?(?:(:)(-?\d+)?(?::(\d+)?)?)?$/.exec(inner);
  return slice ? [sliceStep(slice)] : undefined;
}

function fieldStep(name: string): Step {
  return (value) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return [];
    if (Array.isArray(value)) return [];
    return [(value as { readonly [key: string]: Json })[name] as Json];
  };
}

function sliceStep([, from, colon, to, step]: RegExpExecArray): Step {
  return (value) => {
    if (!Array.isArray(value)) return [];
    const items = value as readonly Json[];
    const place = (text: string) => (Number(text) < 0 ? items.length + Number(text) : Number(text));
    if (colon === undefined) {
      const at = place(from ?? '0');
      return at >= 0 && at < items.length ? [items[at] as Json] : [];
    }
    const every = Number(step ?? 1) || 1;
    const [first, last] = [place(from ?? '0'), to === undefined ? items.length : place(to)];
    if (first < 0 || last > items.length) throw new Unfit();
    return items.slice(first, last).filter((_, i) => i % every === 0);
  };
}

const children: Step = (value) => {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value as readonly Json[];
  const map = value as { readonly [key: string]: Json };
  return Object.keys(map)
    .sort()
    .map((name) => map[name] as Json);
};

const itemsOf: Step = (value) => {
  if (Array.isArray(value)) return value as readonly Json[];
  throw new Unfit();
};

const everything: Step = (value) => [value, ...children(value).flatMap(everything)];

type Operand = (item: Json) => readonly Json[];

function filterStep(source: string): Step | undefined {
  const comparison = /^(.*?)\s*(==|!=|<=|>=|<|>)\s*(.*)$/s.exec(source);
  const left = operand(comparison ? comparison[1]! : source);
  if (!left) return undefined;
  if (!comparison) return (value) => itemsOf(value).filter((item) => left(item).length > 0);
  const right = operand(comparison[3]!);
  if (!right) return undefined;
  const fits = comparisons[comparison[2]!]!;
  return (value) =>
    itemsOf(value).filter((item) => {
      const [a] = left(item);
      const [b] = right(item);
      if (a === undefined || b === undefined) return false;
      // The server compares whole numbers alone.
      if (isFraction(a) || isFraction(b)) throw new Unfit();
      return fits(a, b);
    });
}

function isFraction(value: Json): boolean {
  return typeof value === 'number' && !Number.isInteger(value);
}

const comparisons: Readonly<Record<string, (a: Json, b: Json) => boolean>> = {
  '==': isSameJson,
  '!=': (a, b) => !isSameJson(a, b),
  '<': (a, b) => compared(a, b, (order) => order < 0),
  '<=': (a, b) => compared(a, b, (order) => order <= 0),
  '>': (a, b) => compared(a, b, (order) => order > 0),
  '>=': (a, b) => compared(a, b, (order) => order >= 0),
};

function compared(a: Json, b: Json, fits: (order: number) => boolean): boolean {
  if (typeof a !== typeof b || (typeof a !== 'number' && typeof a !== 'string')) return false;
  return fits(a < (b as typeof a) ? -1 : a > (b as typeof a) ? 1 : 0);
}

function operand(source: string): Operand | undefined {
  const text = source.trim();
  if (text.startsWith('@')) return text === '@' ? (item) => [item] : jsonPath(text.slice(1));
  const quoted = /^'((?:\\.|[^'\\])*)'$|^"((?:\\.|[^"\\])*)"$/.exec(text);
  if (quoted) {
    const value = (quoted[1] ?? quoted[2] ?? '').replace(/\\(.)/g, '$1');
    return () => [value];
  }
  if (text === 'true' || text === 'false') return () => [text === 'true'];
  return /^-?\d+(\.\d+)?$/.test(text) ? () => [Number(text)] : undefined;
}
