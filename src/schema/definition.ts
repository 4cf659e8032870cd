import { DefinitionError } from '../kube/errors.js';
import { costFaults, ruleFaults } from './cel/rule-faults.js';
import { defaultFaults } from './default-faults.js';
import type { DefinitionFault } from './definition-fault.js';
import { limitFaults } from './limit-faults.js';
import { listFaults } from './list-faults.js';
import { childrenOf, type StructuralSchema } from './structural.js';

const sound = new WeakSet<StructuralSchema>();

/**
 * Everything that is wrong with the definition of a schema, paths as in the API server's answer.
 *
 * **Guarantees.** What the server refuses is here. What is here and not the server's is marked so: a schema that it
 * takes although no value, or no sensible value, could ever satisfy it.
 */
export function definitionFaults(schema: StructuralSchema, path = ''): DefinitionFault[] {
  if (sound.has(schema)) return [];
  const below = childrenOf(schema, path).flatMap((child) => definitionFaults(child.schema, child.path));
  const here = [...limitFaults(schema, path), ...listFaults(schema, path)];
  const found = [...below, ...here];
  // Rules and defaults are judged by the schema below them, so a fault there would only be reported twice.
  if (found.length === 0) found.push(...ruleFaults(schema, path), ...defaultFaults(schema, path));
  if (found.length === 0) sound.add(schema);
  return found;
}

/**
 * Throws a `DefinitionError` that lists everything that is wrong with a schema. Each part is looked at once, and has no name
 * then: what tells it from others is its type and its description.
 */
export function checkDefinition(schema: StructuralSchema): void {
  const { type, description } = schema;
  const named = description === undefined ? '' : ` ${JSON.stringify(description)}`;
  refuse(`${type === undefined ? '' : `${type} `}schema${named}`, definitionFaults(schema));
}

/**
 * Throws a `DefinitionError` when the API server would refuse a CustomResourceDefinition with this `openAPIV3Schema`.
 * On top of each part being sound, the CEL rules of the whole have to fit into the server's budget, for which it counts
 * how often a list or a map can repeat them.
 */
export function checkObjectDefinition(root: StructuralSchema, subject: string): void {
  const found = definitionFaults(root);
  refuse(subject, found.length > 0 ? found : objectFaults(root));
}

/** What is wrong with a whole schema beyond its parts. */
export function objectFaults(root: StructuralSchema): DefinitionFault[] {
  return [...ruleFaults(root, '', { isResourceRoot: true }), ...costFaults(root)];
}

function refuse(subject: string, faults: readonly DefinitionFault[]): void {
  if (faults.length === 0) return;
  const lines = faults.map(({ path, message }) => `${readable(path)}${message}`);
  const hints = [...new Set(faults.flatMap(({ hint }) => (hint === undefined ? [] : [hint])))];
  throw new DefinitionError(`${subject} cannot be defined: ${lines.join('; ')}`, {
    hint: hints.join('; ') || undefined,
  });
}

/** `.properties[spec].properties[hosts].items.pattern` as an author thinks of it: `spec.hosts[].pattern`. */
function readable(path: string): string {
  // Behind the schemas it goes on into what one of them says, where a field may be called items as well.
  const [schemas = ''] = /^(?:\.properties\[[^\]]*\]|\.(?:items|additionalProperties)(?=[.[]|$))*/.exec(path) ?? [];
  const short = schemas.replace(
    /\.properties\[([^\]]*)\]|\.items|\.additionalProperties/g,
    (found, name: string | undefined) => (name !== undefined ? `.${name}` : found === '.items' ? '[]' : '[*]'),
  );
  const whole = `${short}${path.slice(schemas.length)}`.replace(/^\./, '');
  return whole === '' ? '' : `${whole}: `;
}
