import { DefinitionError } from './errors.js';

/**
 * Throws `DefinitionError` for an option at `path` of `subject` that is not among `known`: where no compiler is asked, a misspelt
 * one would say nothing.
 */
export function refuseUnknownOptions(
  subject: string,
  path: string,
  given: unknown,
  known: Readonly<Record<string, unknown>>,
): void {
  const unknown = Object.keys(given ?? {}).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  throw new DefinitionError(`${subject}: "${path}${unknown}" means nothing`, {
    hint: `write one of ${Object.keys(known).join(', ')}`,
  });
}
