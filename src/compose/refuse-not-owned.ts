import { type ApiResource, kindAmong } from '../kube/api-resource.js';
import { DefinitionError } from '../kube/errors.js';

/** Throws `DefinitionError` where an operator is to recreate a kind of children that it has not. */
export function refuseNotOwned(name: string, owns: readonly ApiResource[], recreate: readonly ApiResource[]): void {
  const strange = recreate.find((each) => !kindAmong(owns, each));
  if (!strange) return;
  throw new DefinitionError(
    `operator "${name}" cannot be defined: it recreates ${strange.kind}, which it does not own`,
    {
      hint: 'add it to owns, or take it out of recreate',
    },
  );
}
