import { type ApiResource, versionOf } from '../kube/api-resource.js';
import type { StructuralSchema } from '../schema/structural.js';

interface DefinedVersion {
  readonly name: string;
  readonly schema: { readonly openAPIV3Schema: StructuralSchema };
}

const known = new WeakMap<ApiResource, StructuralSchema | undefined>();

/** Of a class by `customResource`, the schema in which its children are written. Of others nothing is known here. */
export function schemaOfKind(kind: ApiResource): StructuralSchema | undefined {
  if (!known.has(kind)) known.set(kind, schemaIn(kind));
  return known.get(kind);
}

function schemaIn(kind: ApiResource): StructuralSchema | undefined {
  const { crd } = kind as { readonly crd?: () => object };
  if (typeof crd !== 'function') return undefined;
  const { spec } = crd.call(kind) as { readonly spec: { readonly versions: readonly DefinedVersion[] } };
  return spec.versions.find(({ name }) => name === versionOf(kind.apiVersion))?.schema.openAPIV3Schema;
}
