import { type FieldProblem, problem, problemWithoutValue } from '../../../schema/field-problem.js';
import { dns1035Label } from '../../../schema/name-formats.js';
import type { DefinitionNames } from '../custom-definition.js';

/** Which names every definition needs. */
export function missingNames(names: Partial<DefinitionNames>, path: string): readonly FieldProblem[] {
  return (['plural', 'singular', 'kind', 'listKind'] as const)
    .filter((name) => !names[name])
    .map((name) => problemWithoutValue('FieldValueRequired', `${path}.${name}`));
}

/** What is wrong with the names that are there. */
export function nameProblems(names: Partial<DefinitionNames>, path: string): readonly FieldProblem[] {
  const found: FieldProblem[] = [];
  const check = (at: string, value: string, isKind = false) => {
    const faults = dns1035Label(isKind ? value.toLowerCase() : value);
    if (faults.length === 0) return;
    const words = faults.join(',');
    const detail = isKind ? `may have mixed case, but should otherwise match: ${words}` : words;
    found.push(problem('FieldValueInvalid', `${path}.${at}`, value, detail));
  };
  const { plural, singular, kind, listKind, shortNames = [], categories = [] } = names;
  if (plural) check('plural', plural);
  if (singular) check('singular', singular);
  if (kind) check('kind', kind, true);
  if (listKind) check('listKind', listKind, true);
  for (const [index, name] of shortNames.entries()) check(`shortNames[${index}]`, name);
  if (kind && kind === listKind) {
    const detail = 'kind and listKind may not be the same';
    found.push(problem('FieldValueInvalid', `${path}.listKind`, listKind, detail));
  }
  for (const [index, name] of categories.entries()) check(`categories[${index}]`, name);
  return found;
}
