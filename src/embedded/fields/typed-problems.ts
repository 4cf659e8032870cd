import type { Json } from '../../kube/manifest.js';
import { type FieldType, isList, isMap, segmentOf, typeOfField } from './field-type.js';
import { showPath } from './show-path.js';

/** Why `value` is not of its type, so that it cannot be applied, in the server's words. Empty when it is. */
export function typedProblems(value: Json, type: FieldType): string[] {
  const problems: string[] = [];
  check(value, type, '', problems);
  return problems;
}

function check(value: Json, type: FieldType, path: string, problems: string[]): void {
  if (value === null) return;
  switch (type.type) {
    case 'struct':
      if (!isMap(value)) {
        problems.push(`${path}: expected map, got &{${JSON.stringify(value)}}`);
        return;
      }
      for (const name of Object.keys(value)) {
        const field = typeOfField(type, name);
        if (!field.declared && type.others === undefined)
          problems.push(`${path}.${name}: field not declared in schema`);
        else check(value[name] as Json, field.type, `${path}.${name}`, problems);
      }
      return;
    case 'set':
    case 'listMap': {
      if (!isList(value)) {
        problems.push(`${path}: expected list, got &{${JSON.stringify(value)}}`);
        return;
      }
      const seen = new Set<string>();
      value.forEach((item, index) => {
        const segment = segmentOf(type, item);
        if (segment === undefined) {
          problems.push(`${path}: element ${index}: associative list with keys has an element that omits key field`);
          return;
        }
        const at = `${path}${showPath([segment])}`;
        if (seen.has(segment)) problems.push(`${path}: duplicate entries for key ${showPath([segment])}`);
        seen.add(segment);
        if (type.type === 'listMap') check(item, type.item(), at, problems);
      });
      return;
    }
    default:
  }
}
