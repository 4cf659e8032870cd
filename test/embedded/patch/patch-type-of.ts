import type { PatchField, PatchType } from '../../../src/embedded/patch/patch-type.js';

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
}

/** How the real server merges a kind, by its OpenAPI document: `name` is such as `io.k8s.api.core.v1.Pod`. */
export function patchTypeOf(schemas: Readonly<Record<string, Schema>>, name: string): PatchType {
  const made = new Map<string, PatchType>();
  const named = (schema: Schema) => (schema.$ref ?? schema.allOf?.[0]?.$ref)?.replace('#/components/schemas/', '');

  function typeOf(schema: Schema): PatchType {
    const target = named(schema);
    if (target !== undefined) {
      const type = made.get(target) ?? typeOfProperties(schemas[target] as Schema, target.replace(/.*\./, ''));
      made.set(target, type);
      return type;
    }
    if (schema.items) {
      const items = schema.items;
      return { type: 'list', item: () => typeOf(items) };
    }
    return typeOfProperties(schema);
  }
  function typeOfProperties({ properties, additionalProperties }: Schema, goName?: string): PatchType {
    const fields = Object.fromEntries(Object.entries(properties ?? {}).map(([key, schema]) => [key, fieldOf(schema)]));
    if (additionalProperties) return { type: 'map', fields, others: fieldOf(additionalProperties) };
    return properties ? { type: 'map', fields, ...(goName === undefined ? {} : { name: goName }) } : { type: 'leaf' };
  }
  function fieldOf(schema: Schema): PatchField {
    const mergeKey = schema['x-kubernetes-patch-merge-key'];
    const strategies = schema['x-kubernetes-patch-strategy']?.split(',') ?? [];
    return {
      type: () => typeOf(schema),
      strategies: strategies as PatchField['strategies'],
      ...(mergeKey === undefined ? {} : { mergeKey }),
    };
  }
  return typeOf({ $ref: `#/components/schemas/${name}` });
}
