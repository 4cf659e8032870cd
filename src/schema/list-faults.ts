import type { DefinitionFault } from './definition-fault.js';
import { propertyOf, type StructuralSchema } from './structural.js';

/** What keeps a list from being a set or a list map: items that cannot be told apart under server-side apply. */
export function listFaults(schema: StructuralSchema, path: string): DefinitionFault[] {
  const { items, 'x-kubernetes-list-type': type } = schema;
  if (items === undefined || (type !== 'set' && type !== 'map')) return [];
  const nullable = items.nullable
    ? [{ path: `${path}.items.nullable`, message: `cannot be nullable when x-kubernetes-list-type is ${type}` }]
    : [];
  return [...nullable, ...(type === 'set' ? setFaults(items, path) : mapFaults(schema, items, path))];
}

function setFaults(items: StructuralSchema, path: string): DefinitionFault[] {
  const hint = 'use s.listMap to tell objects apart by some of their fields, or s.array';
  const nested = items['x-kubernetes-list-type'];
  if (items.type === 'array' && nested !== undefined && nested !== 'atomic') {
    const message = 'must be atomic as item of a list with x-kubernetes-list-type=set';
    return [{ path: `${path}.items.x-kubernetes-list-type`, message, hint }];
  }
  if (items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    const message = 'must be atomic as item of a list with x-kubernetes-list-type=set';
    return [{ path: `${path}.items.x-kubernetes-map-type`, message, hint }];
  }
  return [];
}

function mapFaults(schema: StructuralSchema, items: StructuralSchema, path: string): DefinitionFault[] {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (items.type !== 'object') {
    const message = `"${items.type ?? ''}" must be object if parent array's x-kubernetes-list-type is map`;
    return [{ path: `${path}.items.type`, message, hint: 'use s.set for scalars' }];
  }
  const found = keys.flatMap((key) => keyFaults(items, key, path));
  if (keys.length === 0) {
    found.push({
      path: `${path}.x-kubernetes-list-map-keys`,
      message: 'must not be empty if x-kubernetes-list-type is map',
      hint: 'write keys: the fields by which its items are told apart',
    });
  }
  if (new Set(keys).size < keys.length) {
    found.push({
      path: `${path}.x-kubernetes-list-map-keys`,
      message: 'must not contain duplicate entries',
      hint: 'write each of keys once',
    });
  }
  return found;
}

function keyFaults(items: StructuralSchema, key: string, path: string): DefinitionFault[] {
  const field = propertyOf(items, key);
  if (field === undefined) {
    const message = `"${key}": entries must all be names of item properties`;
    const names = Object.keys(items.properties ?? {});
    const hint = names.length === 0 ? 'give its items fields' : `write keys of ${names.join(', ')}`;
    return [{ path: `${path}.x-kubernetes-list-map-keys`, message, hint }];
  }
  const at = `${path}.items.properties[${key}]`;
  const found: DefinitionFault[] = [];
  if (field.type === 'array' || field.type === 'object') {
    const message = "must be a scalar type if parent array's x-kubernetes-list-type is map";
    found.push({ path: `${at}.type`, message, hint: `make "${key}" a string, a number or a boolean` });
  }
  if (!items.required?.includes(key) && field.default === undefined) {
    found.push({
      path: `${at}.default`,
      message: 'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
      hint: `leave "optional" out of "${key}", or give it a default`,
    });
  }
  if (field.nullable) {
    const message = 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable';
    found.push({ path: `${at}.nullable`, message, hint: `leave "nullable" out of "${key}"` });
  }
  return found;
}
