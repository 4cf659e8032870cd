import { isSameJson } from '../../schema/same-json.js';
import type { CustomDefinition, DefinitionCondition, DefinitionNames } from './custom-definition.js';

/** Which of its names a definition gets, and whether it gets all. */
export interface Naming {
  readonly names: DefinitionNames;
  readonly accepted: DefinitionCondition;
}

/**
 * Gives a definition the names that no other definition of its group has. Who has a name keeps it.
 *
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/
 */
export function acceptedNames(definition: CustomDefinition, group: readonly CustomDefinition[]): Naming {
  const wanted = definition.spec.names;
  const had = definition.status?.acceptedNames ?? nothing;
  const all = group.map((each) => each.status?.acceptedNames ?? nothing);
  const resources = new Set(
    all.flatMap(({ plural, singular = '', shortNames = [] }) => [plural, singular, ...shortNames]),
  );
  const kinds = new Set(all.flatMap(({ kind, listKind = '' }) => [kind, listKind]));
  const names: { -readonly [Key in keyof DefinitionNames]: DefinitionNames[Key] } = { ...had };
  let conflict: { readonly reason: string; readonly message: string } | undefined;

  const take = (field: 'plural' | 'singular' | 'kind' | 'listKind', used: ReadonlySet<string>) => {
    const name = wanted[field] ?? '';
    if (name !== (had[field] ?? '') && used.has(name)) {
      conflict = { reason: `${field.charAt(0).toUpperCase()}${field.slice(1)}Conflict`, message: inUse(name) };
    } else names[field] = name;
  };
  take('plural', resources);
  take('singular', resources);
  const { shortNames = [] } = wanted;
  if (!isSameJson(shortNames, had.shortNames ?? [])) {
    const faults = shortNames.filter((name) => !had.shortNames?.includes(name) && resources.has(name)).map(inUse);
    if (faults.length > 0) {
      const message = faults.length === 1 ? faults[0]! : `[${faults.join(', ')}]`;
      conflict = { reason: 'ShortNamesConflict', message };
    } else names.shortNames = shortNames;
  }
  take('kind', kinds);
  take('listKind', kinds);
  names.categories = wanted.categories ?? [];
  return {
    names: withoutEmpty(names),
    accepted: {
      type: 'NamesAccepted',
      status: conflict ? 'False' : 'True',
      reason: conflict?.reason ?? 'NoConflicts',
      message: conflict?.message ?? 'no conflicts found',
    },
  };
}

const nothing: DefinitionNames = { plural: '', kind: '' };

function inUse(name: string): string {
  return `"${name}" is already in use`;
}

/** Lists and names that are not there are left out, as the server leaves them out. */
export function withoutEmpty(names: DefinitionNames): DefinitionNames {
  const { plural, singular, shortNames = [], kind, listKind, categories = [] } = names;
  return {
    plural,
    ...(singular ? { singular } : {}),
    ...(shortNames.length > 0 ? { shortNames } : {}),
    kind,
    ...(listKind ? { listKind } : {}),
    ...(categories.length > 0 ? { categories } : {}),
  };
}
