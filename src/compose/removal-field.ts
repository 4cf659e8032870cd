import { deletionPolicyOf, type Policed } from '../kube/deletion-policy.js';
import { DefinitionError } from '../kube/errors.js';
import { type Removal, removals } from '../kube/removal.js';
import type { CustomResourceClass } from '../resource/custom-resource.js';
import { schemaAt } from '../resource/schema-at.js';
import type { StructuralSchema } from '../schema/structural.js';

/** What is to become of the children of a custom resource; undefined where it leaves that to each child. */
export type RemovalOf = (cr: object) => Removal | undefined;

/**
 * Reads from a custom resource what is to become of its children, at `path`, such as `.spec.deletionPolicy`. Capitals do
 * not matter, for Kubernetes' own words have them.
 *
 * Throws `DefinitionError` where the schema has no enum there of words that mean something.
 */
export function removalField(resource: CustomResourceClass, path: string): RemovalOf {
  const root = { properties: { spec: resource.spec.structural() } } as unknown as StructuralSchema;
  const words = path.startsWith('.spec.') && !path.includes('[') ? (schemaAt(path, root)?.enum ?? []) : [];
  if (words.length === 0 || !words.every((word) => meaning(word) !== undefined)) {
    throw new DefinitionError(`${resource.kind} cannot say by ${path} what becomes of its children`, {
      hint: `write the path of an enum of ${removals.join(', ')} in its spec, with or without capitals`,
    });
  }
  const names = path.split('.').slice(1);
  return (cr) => {
    const said = names.reduce<unknown>((at, name) => (at as Readonly<Record<string, unknown>> | undefined)?.[name], cr);
    return meaning(said);
  };
}

/**
 * True where the children of `cr` may have to stay when it goes. Then none has an owner reference: what that reaches goes with
 * its owner, whatever is said by then.
 */
export function isOutlived(removalOf: RemovalOf | undefined, cr: Policed): boolean {
  return removalOf !== undefined || deletionPolicyOf(cr) === 'orphan';
}

function meaning(word: unknown): Removal | undefined {
  return removals.find((each) => typeof word === 'string' && each === word.toLowerCase());
}
