import { Lazy } from 'cdk8s';
import { OperatorError, TerminalError } from '../kube/errors.js';
import type { Json } from '../kube/manifest.js';

/** No object of Kubernetes is nested nearly as deep; a value that contains itself is. */
const deepest = 200;

/**
 * A copy of `value` as JSON says it, or a `TerminalError` that names the path of what JSON cannot say.
 *
 * **Guarantees.** Any key is data, `constructor` and `__proto__` too. Undefined is left out of maps, as in JSON, also where it
 * is produced late; null is kept. What cdk8s resolves is resolved: `Lazy`, objects with a `resolve` method, and the classes that `cdk8s import` makes
 * for what is a number or a string.
 */
export function plainData(value: unknown, subject: string): Json {
  return copy(value, subject, []);
}

/**
 * The same of what an API server has, and takes: it may hold numbers of which JavaScript knows the nearest alone, and what is nested
 * deep in it is left as it is.
 */
export function storedData(value: unknown, subject: string): Json {
  return copy(value, subject, [], 'nearest');
}

/** Whether an integer beyond 2^53 is refused, or taken for what it was parsed as. */
type Integers = 'exact' | 'nearest';

function copy(value: unknown, subject: string, path: (string | number)[], integers: Integers = 'exact'): Json {
  switch (typeof value) {
    case 'string':
      if (!value.isWellFormed()) refuse(subject, path, halfCharacter, wholeHint);
      return value;
    case 'boolean':
      return value;
    case 'number':
      return exact(value, subject, path, integers);
    case 'object':
      if (value === null) return null;
      if (path.length > deepest && integers === 'nearest') return value as Json;
      if (path.length > deepest) refuse(subject, path, `nested over ${deepest} levels deep`, 'it may contain itself');
      return Array.isArray(value) ? list(value, subject, path, integers) : map(value, subject, path, integers);
    case 'undefined':
      return refuse(subject, path, 'undefined', 'leave it out of the list');
    default:
      return refuse(subject, path, `a ${typeof value}`, plainHint);
  }
}

// An API server stores another character in its place, or refuses it.
const halfCharacter = 'no text: it has half of a character, of a surrogate pair';
const wholeHint = 'cut text between whole characters, as with Array.from(text)';

const plainHint = 'write plain data: strings, numbers, booleans, lists and maps';

function exact(value: number, subject: string, path: readonly (string | number)[], integers: Integers): number {
  if (!Number.isFinite(value)) refuse(subject, path, `${value}`, 'write a number');
  if (integers === 'exact' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    refuse(subject, path, `${value}, an integer beyond 2^53, where not every integer exists`, 'write it as a string');
  }
  return value;
}

function list(value: readonly unknown[], subject: string, path: (string | number)[], integers: Integers): Json {
  // Array.from, because map would leave holes as they are.
  return Array.from(value, (item, index) => {
    path.push(index);
    const copied = copy(item, subject, path, integers);
    path.pop();
    return copied;
  });
}

function map(value: object, subject: string, path: (string | number)[], integers: Integers): Json {
  const late = produced(value, subject, path);
  if (late !== undefined) {
    // One level more, so that a Lazy that produces itself comes to an end.
    path.push('');
    const copied = copy(late.value, subject, path, integers);
    path.pop();
    return copied;
  }
  if (!isPlain(value)) {
    const { value: only } = value as { readonly value?: unknown };
    if (typeof only === 'string' || typeof only === 'number') return copy(only, subject, path, integers);
    const name = nameOfClass(value);
    refuse(subject, path, `an instance of ${name}`, name === 'Date' ? 'write date.toISOString()' : plainHint);
  }
  const copied: Record<string, Json> = {};
  for (const [key, child] of Object.entries(value)) {
    if (child === undefined) continue;
    path.push(key);
    if (!key.isWellFormed()) refuse(subject, path, `named by ${halfCharacter}`, wholeHint);
    const json = member(child, subject, path, integers);
    path.pop();
    if (json === undefined) continue;
    if (key === '__proto__') setOwn(copied, json);
    else copied[key] = json;
  }
  return copied;
}

/** A copy of what a map holds, or undefined for what is produced late and comes to be nothing, as classes of cdk8s-plus do. */
function member(child: unknown, subject: string, path: (string | number)[], integers: Integers): Json | undefined {
  const late = typeof child === 'object' && child !== null ? produced(child, subject, path) : undefined;
  if (late === undefined || path.length > deepest) return copy(child, subject, path, integers);
  if (late.value === undefined) return undefined;
  path.push('');
  const copied = member(late.value, subject, path, integers);
  path.pop();
  return copied;
}

/** Assigning to `__proto__` would change what the map inherits instead of what it holds. */
function setOwn(map: Record<string, Json>, value: Json): void {
  Object.defineProperty(map, '__proto__', { value, enumerable: true, configurable: true, writable: true });
}

function produced(
  value: object,
  subject: string,
  path: readonly (string | number)[],
): { readonly value: unknown } | undefined {
  const { resolve } = value as { readonly resolve?: unknown };
  if (!(value instanceof Lazy) && typeof resolve !== 'function') return undefined;
  try {
    return { value: value instanceof Lazy ? (value.produce() as unknown) : (resolve as () => unknown).call(value) };
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause;
    // A construct says so what it misses, and nobody else knows.
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new TerminalError(`${subject} cannot be rendered: ${showPath(path)} fails to be produced: ${why}`, { cause });
  }
}

/** Made by `{}` or without a prototype, in this realm or another. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function nameOfClass(value: object): string {
  const { name } = value.constructor ?? {};
  return name ? name : 'a class without a name';
}

function refuse(subject: string, path: readonly (string | number)[], what: string, hint: string): never {
  throw new TerminalError(`${subject} cannot be rendered: ${showPath(path)} is ${what}`, { hint });
}

/** `spec.ports[0].port`, as Kubernetes writes paths; `data[a.b]` where a key would be read as two; `it` for the whole. */
function showPath(path: readonly (string | number)[]): string {
  const text = path
    .filter((segment) => segment !== '')
    .map((segment) => (typeof segment === 'string' && /^[\w$-]+$/.test(segment) ? `.${segment}` : `[${segment}]`))
    .join('')
    .replace(/^\./, '');
  if (text === '') return 'it';
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
