import { propertyOf, type StructuralSchema } from '../../schema/structural.js';
import { deduced, type FieldType, type ListKey } from './field-type.js';

const leaf: FieldType = { type: 'atomic' };

/** How a value of a structural schema is merged and owned, by its `x-kubernetes-list-type` and `-map-type`. */
export function structuralType(schema: StructuralSchema): FieldType {
  if (schema['x-kubernetes-map-type'] === 'atomic') return leaf;
  if (schema.type === 'array') return listType(schema);
  if (schema['x-kubernetes-preserve-unknown-fields'] && schema.properties === undefined) return deduced;
  if (schema.type !== 'object') return leaf;
  const { properties = {}, additionalProperties } = schema;
  return {
    type: 'struct',
    fields: Object.fromEntries(Object.entries(properties).map(([name, child]) => [name, () => structuralType(child)])),
    ...(additionalProperties === undefined ? {} : { others: () => structuralType(additionalProperties) }),
  };
}

/** A whole object: its metadata beside the schema of its version. */
export function objectType(schema: StructuralSchema): FieldType {
  const own = structuralType(schema);
  const fields = own.type === 'struct' ? own.fields : {};
  return { type: 'struct', fields: { ...fields, apiVersion: () => leaf, kind: () => leaf, metadata: () => metadata } };
}

function listType(schema: StructuralSchema): FieldType {
  const { items = {} } = schema;
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return { type: 'set' };
    case 'map': {
      const keys = (schema['x-kubernetes-list-map-keys'] ?? []).map((name): ListKey => {
        const value = propertyOf(items, name)?.default;
        return value === undefined ? { name } : { name, default: value };
      });
      return { type: 'listMap', keys, item: () => structuralType(items) };
    }
    default:
      return leaf;
  }
}

/** https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/ */
const metadata: FieldType = {
  type: 'struct',
  fields: {
    annotations: () => deduced,
    finalizers: () => ({ type: 'set' }),
    labels: () => deduced,
    managedFields: () => leaf,
    ownerReferences: () => ({ type: 'listMap', keys: [{ name: 'uid' }], item: () => leaf }),
  },
};
