import type { Json } from '../../kube/manifest.js';
import { type FieldType, isList, isMap, segmentOf, typeOfField } from './field-type.js';
import { showPath } from './show-path.js';

/**
 * Why `value` is not of its type, so that it cannot be applied, in the server's words. Empty when it is. What is stored may
 * have `allowDuplicates`.
 */
export function typedProblems(value: Json, type: FieldType, allowDuplicates = false): string[] {
  const problems: Problems = allowDuplicates ? Object.assign([], { allowDuplicates }) : [];
  check(value, type, '', problems);
  return problems;
}

type Problems = string[] & { readonly allowDuplicates?: boolean };

function check(value: Json, type: FieldType, path: string, problems: Problems): void {
  if (value === null) return;
  switch (type.type) {
    case 'struct':
      if (!type.isOpen || isMap(value)) checkMap(value, type, path, problems);
      return;
    case 'set':
    case 'listMap':
      checkItems(value, type, path, problems);
      return;
    case 'atomic':
      if (type.scalar !== undefined) checkScalar(value, type.scalar, path, problems);
      else if (type.items) checkList(value, type.items(), path, problems);
      else if (type.holds) check(value, type.holds(), path, problems);
      return;
    default:
  }
}

function checkMap(value: Json, type: FieldType & { type: 'struct' }, path: string, problems: Problems): void {
  if (!isMap(value)) {
    problems.push(`${path}: expected map, got ${goSyntax(value)}`);
    return;
  }
  for (const name of Object.keys(value)) {
    const field = typeOfField(type, name);
    if (!field.declared && type.others === undefined) {
      // The server stops at the first, too.
      problems.push(`${path}.${name}: field not declared in schema`);
      return;
    }
    check(value[name] as Json, field.type, `${path}.${name}`, problems);
  }
}

function checkList(value: Json, item: FieldType, path: string, problems: Problems): void {
  if (!isList(value)) problems.push(`${path}: expected list, got ${goSyntax(value)}`);
  else for (const [index, each] of value.entries()) check(each, item, `${path}[${index}]`, problems);
}

function checkItems(
  value: Json,
  type: FieldType & { type: 'set' | 'listMap' },
  path: string,
  problems: Problems,
): void {
  if (!isList(value)) {
    problems.push(`${path}: expected list, got ${goSyntax(value)}`);
    return;
  }
  const seen = new Set<string>();
  for (const [index, item] of value.entries()) {
    const segment = segmentOf(type, item);
    if (segment === undefined) {
      problems.push(`${path}: element ${index}: ${withoutSegment(type, item)}`);
      return;
    }
    const shown = showPath([segment]);
    if (seen.has(segment) && !problems.allowDuplicates) problems.push(`${path}: duplicate entries for key ${shown}`);
    seen.add(segment);
    if (type.item) check(item, type.item(), `${path}${shown}`, problems);
  }
}

function withoutSegment(type: FieldType & { type: 'set' | 'listMap' }, item: Json): string {
  if (type.type === 'set') {
    if (isMap(item)) return "associative list without keys has an element that's a map type";
    if (isList(item)) return 'not supported: associative list with lists as elements';
    return "associative list without keys has an element that's an explicit null";
  }
  if (item === null) return 'associative list with keys may not have a null element';
  if (!isMap(item)) return 'associative list with keys may not have non-map elements';
  const names = type.keys.map(({ name }) => JSON.stringify(name)).join(' ');
  return `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`;
}

function checkScalar(
  value: Json,
  scalar: 'string' | 'numeric' | 'boolean' | 'any',
  path: string,
  problems: Problems,
): void {
  const is = typeof value;
  switch (scalar) {
    case 'string':
      if (is !== 'string')
        problems.push(`${path}: expected string, got &value.valueUnstructured{Value:${goLiteral(value)}}`);
      return;
    case 'numeric':
      if (is !== 'number') problems.push(`${path}: expected numeric (int or float), got ${goType(value)}`);
      return;
    case 'boolean':
      if (is !== 'boolean') problems.push(`${path}: expected boolean, got ${goSyntax(value)}`);
      return;
    default:
      if (is === 'object') problems.push(`${path}: expected any scalar, got ${goSyntax(value)}`);
  }
}

/** A value as Go's `%v` prints the wrapper that it is in. */
function goSyntax(value: Json): string {
  return `&{${goPlain(value)}}`;
}

function goPlain(value: Json): string {
  if (isList(value)) return `[${value.map(goPlain).join(' ')}]`;
  if (isMap(value)) {
    const fields = Object.keys(value).sort();
    return `map[${fields.map((name) => `${name}:${goPlain(value[name] as Json)}`).join(' ')}]`;
  }
  return value === null ? '<nil>' : String(value);
}

function goLiteral(value: Json): string {
  if (isList(value)) return `[]interface {}{${value.map(goLiteral).join(', ')}}`;
  if (isMap(value)) {
    const fields = Object.keys(value).sort();
    const shown = fields.map((name) => `${JSON.stringify(name)}:${goLiteral(value[name] as Json)}`);
    return `map[string]interface {}{${shown.join(', ')}}`;
  }
  return value === null ? 'interface {}(nil)' : JSON.stringify(value);
}

function goType(value: Json): string {
  if (isList(value)) return '[]interface {}';
  if (isMap(value)) return 'map[string]interface {}';
  return typeof value === 'boolean' ? 'bool' : 'string';
}
