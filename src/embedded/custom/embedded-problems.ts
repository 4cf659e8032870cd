import type { Json } from '../../kube/manifest.js';
import { type FieldProblem, problem, problemWithoutValue } from '../../schema/field-problem.js';
import { dns1035Label } from '../../schema/name-formats.js';
import { propertyOf, type StructuralSchema } from '../../schema/structural.js';
import { metadataProblemsWithin } from '../verbs/metadata-rules.js';
import { decodeMeta, MetaError } from './object-meta.js';

const embedding = new WeakMap<StructuralSchema, boolean>();

/** True when some value of the schema is an object of a kind of its own. */
function embeds(schema: StructuralSchema): boolean {
  let found = embedding.get(schema);
  if (found === undefined) {
    const below = [schema.items, schema.additionalProperties, ...Object.values(schema.properties ?? {})];
    found =
      schema['x-kubernetes-embedded-resource'] === true || below.some((child) => child !== undefined && embeds(child));
    embedding.set(schema, found);
  }
  return found;
}

/** What is wrong with the apiVersion, kind and metadata of objects inside of a value. */
export function embeddedProblems(schema: StructuralSchema, value: unknown, path: string): readonly FieldProblem[] {
  if (typeof value !== 'object' || value === null || !embeds(schema)) return [];
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.flatMap((item, index) => embeddedProblems(items, item, `${path}[${index}]`)) : [];
  }
  const map = value as Readonly<Record<string, Json>>;
  const own = schema['x-kubernetes-embedded-resource'] ? [...headProblems(map, path), ...metaProblems(map, path)] : [];
  return [
    ...own,
    ...Object.keys(map).flatMap((name) => {
      const property = propertyOf(schema, name);
      if (property) return embeddedProblems(property, map[name], below(path, name));
      return schema.additionalProperties
        ? embeddedProblems(schema.additionalProperties, map[name], `${path}[${name}]`)
        : [];
    }),
  ];
}

function headProblems({ apiVersion, kind }: Readonly<Record<string, Json>>, path: string): readonly FieldProblem[] {
  const found: FieldProblem[] = [];
  if (apiVersion === undefined) found.push(problemWithoutValue('FieldValueRequired', below(path, 'apiVersion')));
  if (kind === undefined) found.push(problemWithoutValue('FieldValueRequired', below(path, 'kind')));
  if (typeof apiVersion === 'string') {
    const fault =
      apiVersion === ''
        ? 'must not be empty'
        : apiVersion.split('/').length > 2
          ? `unexpected GroupVersion string: ${apiVersion}`
          : undefined;
    if (fault) found.push(problem('FieldValueInvalid', below(path, 'apiVersion'), apiVersion, fault));
  }
  if (typeof kind === 'string') {
    const faults = kind === '' ? [] : dns1035Label(kind.toLowerCase());
    const fault =
      kind === ''
        ? 'must not be empty'
        : faults.length > 0
          ? `may have mixed case, but should otherwise match: ${faults.join(',')}`
          : undefined;
    if (fault) found.push(problem('FieldValueInvalid', below(path, 'kind'), kind, fault));
  }
  return found;
}

function metaProblems({ metadata }: Readonly<Record<string, Json>>, path: string): readonly FieldProblem[] {
  if (metadata === undefined) return [];
  const place = below(path, 'metadata');
  try {
    return metadataProblemsWithin(decodeMeta(metadata).metadata).map((found) => ({
      ...found,
      path: below(path, found.path),
    }));
  } catch (error) {
    if (!(error instanceof MetaError)) throw error;
    return [problem('FieldValueInvalid', place, metadata, error.message)];
  }
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
