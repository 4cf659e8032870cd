import { OperatorError } from '../../kube/errors.js';
import { classText, headerText } from './class-text.js';
import type { DefinedVersion, Definition } from './definition.js';
import { Names, nameAll, pascal } from './names.js';
import type { OpenApiSchema } from './openapi.js';
import { fieldsIn, interfaceText, neededFields, type Place, type TypeSource } from './type-text.js';

interface DefinedKind {
  readonly definition: Definition;
  readonly defined: DefinedVersion;
  readonly short: string;
  readonly group: string;
  readonly version: string;
}

const reserved = ['Construct', 'MetadataProps', 'Props', 'Readonly', 'Record', 'TypedObject'];

/**
 * A module of construct classes for the served versions of CustomResourceDefinitions, with an interface for every
 * structure in their schemas, named for its path. Types and names only, whatever the definitions hold beside.
 *
 * The highest version of a kind has its bare name, and others append theirs. Throws `OperatorError` with document and
 * path for a schema that is none.
 */
export function crdModule(definitions: readonly Definition[], from: string): string {
  const kinds = definitions.flatMap((definition) =>
    definition.versions.map((defined): DefinedKind => {
      const { kind, group } = definition;
      return { definition, defined, short: pascal(kind), group, version: defined.name };
    }),
  );
  refuseDoubles(kinds);
  const names = new Names(reserved);
  const named = nameAll(kinds, names, { companions: (_, name) => [`${name}Object`] });
  const texts = kinds.flatMap((kind) => textsOf(kind, named.get(kind) ?? kind.short, names));
  const imported = ['type MetadataProps', 'type Props', 'TypedObject'];
  return [headerText('kilter import crd', imported, from), ...texts].join('\n');
}

function refuseDoubles(kinds: readonly DefinedKind[]): void {
  const seen = new Map<string, DefinedKind>();
  for (const kind of kinds) {
    const key = `${kind.group}/${kind.version} ${kind.definition.kind}`;
    const before = seen.get(key);
    if (before) {
      throw new OperatorError(
        `${kind.definition.subject} cannot be imported: ${key} is defined in ${before.definition.subject} already`,
      );
    }
    seen.set(key, kind);
  }
}

/** The class of a kind, then what it refers to, parents before children. */
function textsOf({ definition, defined }: DefinedKind, name: string, names: Names): string[] {
  const { group, kind, plural, namespaced, subject } = definition;
  const texts: string[] = [];
  const source: TypeSource = {
    referred: () => 'unknown',
    declared(schema, place) {
      const name = names.claim([place.name]);
      const index = texts.push('') - 1;
      texts[index] = interfaceText(schema, { ...place, name }, source, (field) => `${name}${pascal(field)}`);
      return name;
    },
    fillsIn: true,
    fault: ({ path }, words) => new OperatorError(`${subject} cannot be imported: ${path} ${words}`),
  };

  const object = `${name}Object`;
  const place: Place = { path: defined.path, name: object };
  const metadata = 'readonly metadata?: MetadataProps | undefined;';
  const fields = interfaceText(ownFields(defined.schema), place, source, (field) => `${name}${pascal(field)}`, [
    metadata,
  ]);
  const { saysReady } = defined;
  const resource = { apiVersion: `${group}/${defined.name}`, kind, plural, namespaced, saysReady };
  return [classText(name, object, resource, neededFields(defined.schema, source)), fields, ...texts];
}

/** The root without the fields that are the same for all kinds. */
function ownFields(schema: OpenApiSchema): OpenApiSchema {
  const properties = fieldsIn(schema);
  // What is no map is found to be none where it is read.
  if (typeof properties !== 'object' || Array.isArray(properties)) return schema;
  const own = Object.entries(properties).filter(([field]) => !['apiVersion', 'kind', 'metadata'].includes(field));
  return {
    ...schema,
    properties: Object.fromEntries(own),
    // Beside named fields an index signature would hide them all from `Omit`, of which props are made.
    'x-kubernetes-preserve-unknown-fields': own.length === 0 && schema['x-kubernetes-preserve-unknown-fields'] === true,
  };
}
