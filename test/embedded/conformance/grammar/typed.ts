/**
 * Grammars that nobody wrote by hand: every field that the types of the built-in kinds have, with values of all sorts, so
 * that what nobody thought of is asked about too.
 */
import { type ApiType, apiType, kindRecords } from '../../../../src/embedded/built-in/api-type.js';
import type { Random } from '../random.js';
import type { Field, KindGrammar } from './kind-grammar.js';
import { resourceOf, typedValue } from './typed-value.js';
import { keys } from './typed-words.js';

type Path = (string | number)[];

/** A place somewhere below `type`, with a value for it. */
function somewhere(type: ApiType, random: Random, avoided: ReadonlySet<string>): Field {
  const path: Path = [];
  let here = type;
  let name = '';
  for (;;) {
    const stays = path.length > 0 && random.chance(path.length > 4 ? 0.2 : 0.1);
    if (stays) break;
    if (here.kind === 'struct' && here.declared.length > 0) {
      const fields = here.declared.filter(
        (each) => !each.in?.includes('TypeMeta') && !(path.length === 0 && avoided.has(each.name)),
      );
      if (fields.length === 0) break;
      const next = random.pick(fields);
      name = next.name;
      path.push(name);
      here = next.type;
    } else if (here.kind === 'list' && here.elem) {
      path.push(random.chance(0.85) ? 0 : 1);
      here = here.elem;
    } else if (here.kind === 'map' && here.elem) {
      path.push(here.elem.kind === 'quantity' ? resourceOf(random) : random.pick(keys));
      name = 'value';
      here = here.elem;
    } else break;
  }
  return { path, good: Array.from({ length: 3 }, () => typedValue(here, name, random)), bad: [] };
}

/** `grammar` with fields by its type instead of those written by hand. */
export function typedGrammar(grammar: KindGrammar, random: Random, count = 400): KindGrammar {
  const apiVersion = grammar.resource.slice(0, grammar.resource.lastIndexOf('/'));
  const record = kindRecords().find((each) => each.kind === grammar.kind && each.apiVersion === apiVersion);
  if (!record) return grammar;
  const type = apiType(record.type);
  const avoided = new Set(['metadata', 'status', 'globalDefault']);
  const fields = Array.from({ length: count }, () => somewhere(type, random, avoided));
  const status = type.declared.find((each) => each.name === 'status');
  if (!status) return { ...grammar, fields };
  const below = Array.from({ length: count }, () => {
    const field = somewhere(status.type, random, new Set());
    return { ...field, path: ['status', ...field.path] };
  });
  return { ...grammar, fields, status: below };
}
