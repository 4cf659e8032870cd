import type { Json } from '../../kube/manifest.js';
import { isMap } from '../../kube/plain-map.js';
import type { Segment } from './field-set.js';
import { type FieldType, isList, segmentOf, typeOfField } from './field-type.js';
import { showPath } from './show-path.js';

/**
 * Why `value` is not of its type, so that it cannot be applied, in the server's words. Empty when it is. What is stored may
 * have `allowDuplicates`.
 */
export function typedProblems(value: Json, type: FieldType, allowDuplicates = false): string[] {
  const walk = new Walk(allowDuplicates);
  check(value, type, walk);
  return walk.problems;
}

/** Where the check is, and what it found so far. */
class Walk {
  readonly path: (Segment | number)[] = [];
  readonly problems: string[] = [];

  constructor(readonly allowDuplicates: boolean) {}

  found(problem: string): void {
    const path = this.path.map((step) => (typeof step === 'number' ? `[${step}]` : showPath([step])));
    this.problems.push(`${path.join('')}${problem}`);
  }
}

function check(value: Json, type: FieldType, walk: Walk): void {
  if (value === null) return;
  switch (type.type) {
    case 'struct':
      if (!type.isOpen || isMap(value)) checkMap(value, type, walk);
      return;
    case 'set':
    case 'listMap':
      checkItems(value, type, walk);
      return;
    case 'atomic':
      if (type.scalar !== undefined) checkScalar(value, type.scalar, walk);
      else if (type.items) checkList(value, type.items(), walk);
      else if (type.holds) check(value, type.holds(), walk);
      return;
    default:
  }
}

function checkMap(value: Json, type: FieldType & { type: 'struct' }, walk: Walk): void {
  if (!isMap(value)) {
    walk.found(`: expected map, got ${goSyntax(value)}`);
    return;
  }
  for (const name of Object.keys(value)) {
    const field = typeOfField(type, name);
    if (!field.declared && type.others === undefined) {
      // The server stops at the first, too.
      walk.found(`.${name}: field not declared in schema`);
      return;
    }
    walk.path.push(field.segment);
    check(value[name] as Json, field.type, walk);
    walk.path.pop();
  }
}

function checkList(value: Json, item: FieldType, walk: Walk): void {
  if (!isList(value)) {
    walk.found(`: expected list, got ${goSyntax(value)}`);
    return;
  }
  for (let index = 0; index < value.length; index++) {
    walk.path.push(index);
    check(value[index] as Json, item, walk);
    walk.path.pop();
  }
}

function checkItems(value: Json, type: FieldType & { type: 'set' | 'listMap' }, walk: Walk): void {
  if (!isList(value)) {
    walk.found(`: expected list, got ${goSyntax(value)}`);
    return;
  }
  const seen = new Set<string>();
  for (const [index, item] of value.entries()) {
    const segment = segmentOf(type, item);
    if (segment === undefined) {
      walk.found(`: element ${index}: ${withoutSegment(type, item)}`);
      return;
    }
    if (seen.has(segment) && !walk.allowDuplicates) walk.found(`: duplicate entries for key ${showPath([segment])}`);
    seen.add(segment);
    if (!type.item) continue;
    walk.path.push(segment);
    check(item, type.item(), walk);
    walk.path.pop();
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

function checkScalar(value: Json, scalar: 'string' | 'numeric' | 'boolean' | 'any', walk: Walk): void {
  const is = typeof value;
  switch (scalar) {
    case 'string':
      if (is !== 'string') walk.found(`: expected string, got &value.valueUnstructured{Value:${goLiteral(value)}}`);
      return;
    case 'numeric':
      if (is !== 'number') walk.found(`: expected numeric (int or float), got ${goType(value)}`);
      return;
    case 'boolean':
      if (is !== 'boolean') walk.found(`: expected boolean, got ${goSyntax(value)}`);
      return;
    default:
      if (is === 'object') walk.found(`: expected any scalar, got ${goSyntax(value)}`);
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
