import type { ApiType } from '../../../../src/embedded/built-in/api-type.js';
import type { Json } from '../../../../src/kube/manifest.js';
import type { Random } from '../random.js';
import { anyText, keys, quantities, resources, strangers, texts } from './typed-words.js';

/** One value of this type, mostly of a form that decodes. */
export function typedValue(type: ApiType, name: string, random: Random, depth = 0): Json {
  if (random.chance(depth === 0 ? 0.06 : 0.02)) return random.pick(strangers);
  switch (type.kind) {
    case 'string': {
      if (type.enum && random.chance(0.8)) return random.pick(type.enum);
      const own = Object.hasOwn(texts, name) ? texts[name] : undefined;
      return own && random.chance(0.85) ? random.pick(own) : random.pick(anyText);
    }
    case 'bool':
      return random.chance(0.5);
    case 'int32':
    case 'int64':
    case 'float64':
      return random.pick([
        0, 1, 1, 2, 3, 5, 10, 30, 80, -1, 100, 101, 443, 1000, 32768, 65535, 65536, 86400, 604801, 2147483647,
        2147483648, -2147483648, 4294967296,
      ]);
    case 'bytes':
      return random.pick(['YQ==', '', 'YQ', 'e30=', '!!']);
    case 'quantity':
      return random.pick(quantities);
    case 'intOrString':
      return random.pick<Json>([
        0,
        1,
        80,
        -1,
        '25%',
        '100%',
        '101%',
        '-1%',
        'http',
        '80',
        '',
        '0%',
        65536,
        'x%',
        '1.5%',
        'A',
      ]);
    case 'time':
      return random.pick(['2020-01-01T00:00:00Z', '2030-01-01T00:00:00Z', '2020-01-01T00:00:00.5+01:00', 'x', '']);
    case 'microTime':
      return random.pick([
        '2020-01-01T00:00:00.000000Z',
        '2020-01-01T00:00:00Z',
        '2020-01-01T00:00:00.123456789Z',
        'x',
      ]);
    case 'raw':
      return random.pick<Json>([{}, { a: 1 }, 'x', 1, null]);
    case 'list': {
      const count = depth > 12 ? 0 : random.pick([0, 1, 1, 1, 2, 2, 3]);
      const items = Array.from({ length: count }, () => typedValue(type.elem as ApiType, name, random, depth + 1));
      return items.length > 1 && random.chance(0.3) ? [items[0] as Json, items[0] as Json] : items;
    }
    case 'map': {
      const isResources = type.elem?.kind === 'quantity';
      const count = random.pick([0, 1, 1, 2]);
      const pairs = Array.from({ length: count }, () => [
        isResources ? resourceOf(random) : random.pick(keys),
        typedValue(type.elem as ApiType, 'value', random, depth + 1),
      ]);
      return Object.fromEntries(pairs) as Json;
    }
    case 'struct': {
      const result: Record<string, Json> = {};
      const fields = type.declared.filter(({ in: within }) => !within?.includes('TypeMeta'));
      const isUnion = fields.length > 4 && fields.every((each) => each.isPointer);
      const chosen = isUnion ? random.some(fields, random.chance(0.9) ? 1 : 2).map((each) => each.name) : undefined;
      for (const each of fields) {
        const probability =
          depth > 8
            ? 0
            : chosen
              ? Number(chosen.includes(each.name))
              : each.isRequired
                ? 0.93
                : depth > 4
                  ? 0.1
                  : depth > 2
                    ? 0.2
                    : 0.3;
        if (random.chance(probability)) result[each.name] = typedValue(each.type, each.name, random, depth + 1);
      }
      return result;
    }
    case 'schemaOrArray':
    case 'schemaOrBool':
    case 'schemaOrStrings':
      return random.chance(0.7) && type.elem && depth < 9
        ? typedValue(type.elem, name, random, depth + 1)
        : random.pick<Json>([{}, true, false, [], ['a']]);
    default:
      return random.pick<Json>([{}, true, []]);
  }
}

/** A resource that a quantity may be of. */
export function resourceOf(random: Random): string {
  return random.chance(0.5) ? random.pick(['cpu', 'memory']) : random.pick(resources);
}
