import { propertyOf, type StructuralSchema } from '../../schema/structural.js';
import { deduced, type FieldType, type ListKey } from './field-type.js';

const leaf: FieldType = { type: 'atomic' };
const text: FieldType = { type: 'atomic', scalar: 'string' };
const numeric: FieldType = { type: 'atomic', scalar: 'numeric' };
const truth: FieldType = { type: 'atomic', scalar: 'boolean' };

/** How a value of a structural schema is merged and owned, by its `x-kubernetes-list-type` and `-map-type`. */
export function structuralType(schema: StructuralSchema): FieldType {
  if (schema['x-kubernetes-map-type'] === 'atomic') return { type: 'atomic', holds: () => mapType(schema) };
  if (schema.type === 'array') return listType(schema);
  if (schema['x-kubernetes-preserve-unknown-fields'] && schema.properties === undefined) return deduced;
  return schema.type === 'object' ? mapType(schema) : scalarType(schema);
}

function scalarType({ type, 'x-kubernetes-int-or-string': isIntOrString }: StructuralSchema): FieldType {
  if (isIntOrString) return { type: 'atomic', scalar: 'any' };
  if (type === 'string') return text;
  if (type === 'boolean') return truth;
  return type === 'integer' || type === 'number' ? numeric : leaf;
}

function mapType(schema: StructuralSchema): FieldType {
  const { properties = {}, additionalProperties } = schema;
  const preserved = schema['x-kubernetes-preserve-unknown-fields'] ? { others: () => deduced } : {};
  return {
    type: 'struct',
    fields: Object.fromEntries(Object.entries(properties).map(([name, child]) => [name, () => structuralType(child)])),
    ...(additionalProperties === undefined ? preserved : { others: () => structuralType(additionalProperties) }),
  };
}

/** A whole object: its metadata beside the schema of its version. */
export function objectType(schema: StructuralSchema): FieldType {
  const own = structuralType({ type: 'object', ...schema });
  const fields = own.type === 'struct' ? own.fields : {};
  const others = own.type === 'struct' ? own.others : () => deduced;
  return {
    type: 'struct',
    ...(others ? { others } : {}),
    fields: { ...fields, apiVersion: () => text, kind: () => text, metadata: () => metadataType },
  };
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
      return { type: 'atomic', items: () => structuralType(items) };
  }
}

const texts: FieldType = { type: 'struct', fields: {}, others: () => text };

/** The metadata of every object: https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/ */
export const metadataType: FieldType = {
  type: 'struct',
  fields: {
    annotations: () => texts,
    creationTimestamp: () => text,
    deletionGracePeriodSeconds: () => numeric,
    deletionTimestamp: () => text,
    finalizers: () => ({ type: 'set' }),
    generateName: () => text,
    generation: () => numeric,
    labels: () => texts,
    managedFields: () => ({ type: 'atomic', items: () => deduced }),
    name: () => text,
    namespace: () => text,
    ownerReferences: () => ({ type: 'listMap', keys: [{ name: 'uid' }], item: () => ownerReference }),
    resourceVersion: () => text,
    selfLink: () => text,
    uid: () => text,
  },
};

const ownerReference: FieldType = {
  type: 'atomic',
  holds: () => ({
    type: 'struct',
    fields: {
      apiVersion: () => text,
      blockOwnerDeletion: () => truth,
      controller: () => truth,
      kind: () => text,
      name: () => text,
      uid: () => text,
    },
  }),
};
