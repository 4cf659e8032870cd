import type { FieldPath } from './field-set.js';

/** A path as conflicts show it: `.spec.ports[port=80,protocol="TCP"].name`. */
export function showPath(path: FieldPath): string {
  return path.map(showSegment).join('');
}

function showSegment(segment: string): string {
  const rest = segment.slice(2);
  switch (segment.slice(0, 2)) {
    case 'k:': {
      const keys = JSON.parse(rest) as Record<string, unknown>;
      const shown = Object.entries(keys).map(([name, value]) => `${name}=${showKey(value)}`);
      return `[${shown.join(',')}]`;
    }
    case 'v:':
      return `[=${showKey(JSON.parse(rest))}]`;
    default:
      return `.${rest}`;
  }
}

/** A map as the server shows it where it cannot be: what is in it, with nothing around or between. */
function showKey(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(showKey).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return Object.entries(value)
    .map(([name, child]) => `${name}=${showKey(child)}`)
    .join('');
}
