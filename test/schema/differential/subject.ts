import type { AnySchema } from '../../../src/schema/schema.js';
import type { StructuralSchema } from '../../../src/schema/structural.js';

/** A kind whose objects both the API server and we judge. */
export interface Subject {
  readonly kind: string;
  readonly spec: AnySchema;
  /** Values of `spec`, by what is telling about them. Whether they are good is for the server to say. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Values of `spec` before and after an update. */
  readonly updates?: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;
}

export const group = 'differential.kilter.dev';

/** The `openAPIV3Schema` of a kind with the given spec. */
export function objectSchemaOf(spec: StructuralSchema): StructuralSchema {
  return { type: 'object', required: ['spec'], properties: { spec } };
}

/** The names under which the server serves a kind. */
export function namesOf(kind: string) {
  return { kind, plural: `${kind.toLowerCase()}s`, singular: kind.toLowerCase(), listKind: `${kind}List` };
}

/** A CustomResourceDefinition around a schema. */
export function definitionOf(kind: string, schema: StructuralSchema) {
  const names = namesOf(kind);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${names.plural}.${group}` },
    spec: {
      group,
      names,
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}

/** An object of a kind. */
export function objectOf(kind: string, spec: unknown, name = 'one') {
  return { apiVersion: `${group}/v1`, kind, metadata: { name, namespace: 'default' }, spec };
}
