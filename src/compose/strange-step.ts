import type { ApiResource } from '../kube/api-resource.js';
import { type FieldPath, fieldPath } from '../kube/field-path.js';
import { metadataFields } from '../schema/object-meta.js';
import { propertyOf, type StructuralSchema } from '../schema/structural.js';
import { schemaOfKind } from './schema-of-kind.js';

/** A step of a path to a field that no object of a kind has. */
export interface StrangeStep {
  readonly name: string;
  /** What is there in its place. */
  readonly known: readonly string[];
}

/**
 * The first step of the path `written` to a field that no object of `kind` has, which would be a path to nothing for ever. The
 * metadata of all kinds is known, and the rest of one by `customResource`; in a map and in what preserves unknown fields
 * everything may be.
 */
export function strangeStep(written: string, kind: ApiResource | undefined): StrangeStep | undefined {
  const { steps } = fieldPath(written);
  const [first, second] = steps;
  if (first?.type !== 'field') return undefined;
  if (first.name === 'metadata') return second?.type === 'field' ? unlessAmong(second.name, metadataFields) : undefined;
  const root = kind && schemaOfKind(kind);
  if (!root) return undefined;
  const heads = ['apiVersion', 'kind', 'metadata'];
  if (heads.includes(first.name)) return undefined;
  return below(steps, root, heads);
}

function below(
  [step, ...rest]: FieldPath['steps'],
  schema: StructuralSchema | undefined,
  heads: readonly string[] = [],
): StrangeStep | undefined {
  if (!step || !schema || isOpen(schema)) return undefined;
  if (step.type === 'item' && schema.type === 'array') {
    const { 'x-kubernetes-list-map-keys': keys = [] } = schema;
    const strange = Object.keys(step.keys).find((key) => !keys.includes(key));
    if (strange !== undefined) return { name: strange, known: itemsOf(schema) };
  }
  if (step.type !== 'field') return below(rest, schema.items ?? schema.additionalProperties);
  const field = propertyOf(schema, step.name) ?? schema.additionalProperties;
  if (field) return below(rest, field);
  switch (schema.type) {
    case 'object':
      return unlessAmong(step.name, [...heads, ...Object.keys(schema.properties ?? {})]);
    case 'array':
      return { name: step.name, known: itemsOf(schema) };
    case undefined:
      return undefined;
    default:
      return { name: step.name, known: [] };
  }
}

/** How items of a list are written in a path. */
function itemsOf({ 'x-kubernetes-list-map-keys': keys }: StructuralSchema): readonly string[] {
  return keys ? ['[*]', `[${keys.map((key) => `${key}=…`).join(',')}]`] : ['[*]'];
}

function unlessAmong(name: string, known: readonly string[]): StrangeStep | undefined {
  return known.includes(name) ? undefined : { name, known };
}

function isOpen(schema: StructuralSchema): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true || schema['x-kubernetes-embedded-resource'] === true;
}
