import type { Json } from '../../kube/manifest.js';
import { isEmptyCollection } from '../../kube/plain-map.js';
import type { ApiField, ApiType } from './api-type.js';

type Settle = (value: Json) => void;

const settlers = new WeakMap<ApiType, Settle | undefined>();

/**
 * Makes of a value what the server's store makes of it, in place: of an empty list or map that is never left out there
 * remains none, which JSON shows as null.
 *
 * Undefined for a type in which that cannot happen.
 */
export function settlerOf(type: ApiType): Settle | undefined {
  if (settlers.has(type)) return settlers.get(type);
  const settler = mayChange(type) ? compile(type) : undefined;
  settlers.set(type, settler);
  return settler;
}

/** True when somewhere in the type there is a list or map that is never left out. */
function mayChange(type: ApiType): boolean {
  const seen = new Set([type]);
  for (const each of seen) {
    for (const field of each.fields) {
      if (isKept(field)) return true;
      seen.add(field.type);
    }
    if (each.elem) seen.add(each.elem);
  }
  return false;
}

function isKept({ type, omitEmpty }: ApiField): boolean {
  return !omitEmpty && (type.kind === 'list' || type.kind === 'map');
}

function compile(type: ApiType): Settle {
  const { kind, elem } = type;
  if (kind === 'struct') return structSettler(type);
  let item: Settle | undefined;
  return (value) => {
    item ??= elem && settlerOf(elem);
    if (!item || typeof value !== 'object' || value === null) return;
    // A list where a schema may stand alone holds what the schema alone would be.
    if (Array.isArray(value)) for (const each of value) item(each);
    else if (kind === 'map') for (const each of Object.values(value)) item(each);
    else item(value);
  };
}

function structSettler(type: ApiType): Settle {
  const kept = type.fields.filter(isKept).map(({ name }) => name);
  const nested = type.fields.filter((field) => mayChange(field.type)).map(({ name, type: of }) => ({ name, of }));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    const object = value as Record<string, Json>;
    for (const name of kept) {
      const child = object[name];
      if (isEmptyCollection(child)) object[name] = null;
    }
    for (const { name, of } of nested) {
      const child = object[name];
      if (child !== undefined) settlerOf(of)?.(child);
    }
  };
}
