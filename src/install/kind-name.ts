import type { InstalledOperator } from './installed-operator.js';

/**
 * What the kind of `operator` is called in names of objects of its install. Where two kinds differ by their groups alone, each is
 * called by its definition.
 */
export function kindName({ resource }: InstalledOperator, operators: readonly InstalledOperator[]): string {
  const short = resource.kind.toLowerCase();
  const alike = operators.filter((each) => each.resource.kind.toLowerCase() === short);
  return alike.length === 1 ? short : `${resource.plural}.${resource.group}`;
}
