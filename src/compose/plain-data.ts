import { Lazy } from 'cdk8s';
import { TerminalError } from '../kube/errors.js';
import type { Json } from '../kube/manifest.js';

/** No object of Kubernetes is nested nearly as deep; a value that contains itself is. */
const deepest = 200;

/**
 * `value` as JSON says it, or an error that names the path of what JSON cannot say.
 *
 * Any key is data, `constructor` and `__proto__` too. Undefined and null are left out of maps: server-side apply would
 * take a null for a claim to own nothing.
 */
export function plainData(value: unknown, subject: string): Json {
  return copy(value, { subject, path: '', depth: 0 });
}

interface At {
  readonly subject: string;
  readonly path: string;
  readonly depth: number;
}

function copy(value: unknown, at: At): Json {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value)) refuse(at, `${value}`, 'write a number');
      if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
        refuse(
          at,
          `the integer ${value}, which is beyond 2^53 and not exact`,
          'write it as a string, if the field takes one',
        );
      }
      return value;
    case 'object':
      break;
    default:
      refuse(at, `a ${typeof value}`, 'write plain data: strings, numbers, booleans, lists and maps');
  }
  if (value === null) return null;
  if (at.depth > deepest) refuse(at, `something nested over ${deepest} levels deep`, 'a value may contain itself');
  if (value instanceof Lazy) return copy(value.produce(), at);
  if (Array.isArray(value)) {
    return Array.from(value, (item: unknown, index) =>
      copy(item, { ...at, path: `${at.path}[${index}]`, depth: at.depth + 1 }),
    );
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    const name = Object.hasOwn(prototype as object, 'constructor')
      ? (prototype as { constructor: { name: string } }).constructor.name
      : 'a class';
    refuse(at, `an instance of ${name}`, name === 'Date' ? 'write date.toISOString()' : 'write plain data');
  }
  const entries = Object.entries(value)
    .filter(([, child]) => child !== undefined && child !== null)
    .map(
      ([key, child]) =>
        [key, copy(child, { ...at, path: at.path === '' ? key : `${at.path}.${key}`, depth: at.depth + 1 })] as const,
    )
    .filter(([, child]) => child !== null);
  return Object.fromEntries(entries);
}

function refuse({ subject, path }: At, what: string, hint: string): never {
  const shortPath = path.length > 200 ? `${path.slice(0, 200)}…` : path;
  throw new TerminalError(`${subject} cannot be composed: ${shortPath} is ${what}`, { hint });
}
