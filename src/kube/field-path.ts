import { DefinitionError } from './errors.js';
import { isMap } from './plain-map.js';

/** One step of a path: a field, a list item by its keys, or any item or field. */
type Step =
  | { readonly type: 'field'; readonly name: string }
  | { readonly type: 'item'; readonly keys: Readonly<Record<string, string>> }
  | { readonly type: 'any' };

/** A field of an object, as a person writes it: `spec.template.spec.containers[name=web].resources`. */
export interface FieldPath {
  readonly text: string;
  readonly steps: readonly Step[];
}

const token = /^(?:\.?([A-Za-z0-9_$-]+)|\.?(\*)|\[\*\]|\["((?:[^"\\]|\\.)*)"\]|\['([^']*)'\]|\[([^\]=]+=[^\]]*)\])/;

/**
 * Reads a path: fields parted by dots, `["key"]` for a key with dots in it, `[name=web]` for the item of a list that has
 * these keys, `[*]` for any item and `*` for any field.
 *
 * Throws `DefinitionError` for anything else.
 */
export function fieldPath(text: string): FieldPath {
  const steps: Step[] = [];
  let rest = text;
  while (rest !== '') {
    const match = token.exec(rest);
    // A path begins with a field, not with what comes before one.
    if (!match || (steps.length === 0 && rest.startsWith('.'))) throw unreadable(text, rest);
    const [whole, name, star, quoted, single, keys] = match;
    if (name !== undefined) steps.push({ type: 'field', name });
    else if (quoted !== undefined) steps.push({ type: 'field', name: quoted.replace(/\\(.)/g, '$1') });
    else if (single !== undefined) steps.push({ type: 'field', name: single });
    else if (keys !== undefined) steps.push({ type: 'item', keys: keysOf(keys, text) });
    else if (star !== undefined || whole === '[*]') steps.push({ type: 'any' });
    rest = rest.slice(whole.length);
  }
  if (steps.length === 0) throw unreadable(text, text);
  return { text, steps };
}

function keysOf(list: string, text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    list.split(',').map((pair) => {
      const [key = '', ...value] = pair.split('=');
      if (key.trim() === '' || value.length === 0) throw unreadable(text, `[${list}]`);
      return [key.trim(), unquoted(value.join('=').trim())];
    }),
  );
}

/** As JSONPath writes a text. No key of an item has quotes around it. */
function unquoted(value: string): string {
  return /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
}

function unreadable(text: string, rest: string): DefinitionError {
  return new DefinitionError(`The field path ${JSON.stringify(text)} cannot be read at ${JSON.stringify(rest)}`, {
    hint: 'write spec.replicas, metadata.annotations["example.com/note"], spec.template.spec.containers[name=web].image or spec.ports[*].nodePort',
  });
}

/**
 * True when the place that `trail` leads to, in the segments of `fieldsV1`, is the field of `path` or below it.
 *
 * https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management
 */
export function isWithin({ steps }: FieldPath, trail: readonly string[]): boolean {
  return trail.length >= steps.length && steps.every((step, index) => fits(step, trail[index] as string));
}

/**
 * True when the field of `path` is below the place that `trail` leads to, or is it. An item whose segment lacks a key, which
 * it leaves to its default, may be the one that is meant.
 */
export function reaches({ steps }: FieldPath, trail: readonly string[]): boolean {
  return trail.length <= steps.length && trail.every((segment, index) => fits(steps[index] as Step, segment, true));
}

/** The values that `path` leads to in `object`. */
export function valuesOf({ steps }: FieldPath, object: unknown): readonly unknown[] {
  return steps.reduce<readonly unknown[]>((at, step) => at.flatMap((value) => below(value, step)), [object]);
}

function below(value: unknown, step: Step): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const all = Object.values(value) as readonly unknown[];
  switch (step.type) {
    case 'any':
      return all;
    case 'field':
      return isMap(value) && Object.hasOwn(value, step.name) ? [value[step.name]] : [];
    case 'item': {
      const keys = Object.entries(step.keys);
      const isMeant = (item: unknown) => isMap(item) && keys.every(([key, said]) => String(item[key]) === said);
      return Array.isArray(value) ? all.filter(isMeant) : [];
    }
  }
}

function fits(step: Step, segment: string, mayLackKeys = false): boolean {
  switch (step.type) {
    case 'any':
      return true;
    case 'field':
      return segment === `f:${step.name}`;
    case 'item':
      return isItem(segment, step.keys, mayLackKeys);
  }
}

function isItem(segment: string, keys: Readonly<Record<string, string>>, mayLackKeys: boolean): boolean {
  if (!segment.startsWith('k:')) return false;
  const found = JSON.parse(segment.slice(2)) as Readonly<Record<string, unknown>>;
  return Object.entries(keys).every(([key, value]) =>
    Object.hasOwn(found, key) ? String(found[key]) === value : mayLackKeys,
  );
}
