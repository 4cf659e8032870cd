import { propertyOf, type StructuralSchema } from '../../schema/structural.js';
import { deduced, type FieldType, type Lazy, type ListKey } from './field-type.js';

const text: FieldType = { type: 'atomic', scalar: 'string' };
const numeric: FieldType = { type: 'atomic', scalar: 'numeric' };
const truth: FieldType = { type: 'atomic', scalar: 'boolean' };
const scalar: FieldType = { type: 'atomic', scalar: 'any' };

/**
 * How a value of a structural schema is merged and owned, by its `x-kubernetes-list-type` and `-map-type`. `preserves`: a
 * schema around it keeps fields that it does not know, and then all within do, as far as ownership goes.
 */
function structuralType(schema: StructuralSchema, preserves = false): FieldType {
  switch (schema.type) {
    case 'array':
      return listType(schema, preserves);
    case 'object':
      return schema['x-kubernetes-map-type'] === 'atomic'
        ? { type: 'atomic', holds: () => mapType(schema, preserves) }
        : mapType(schema, preserves);
    case 'string':
      // A format may be one that numbers have as well.
      return schema.format === undefined || schema.format === 'byte' ? text : scalar;
    case 'boolean':
      return truth;
    case 'integer':
    case 'number':
      return numeric;
    default:
      return schema.properties === undefined && schema.additionalProperties === undefined
        ? deduced
        : { ...mapType(schema, preserves), isOpen: true };
  }
}

function mapType(schema: StructuralSchema, around: boolean): FieldType & { readonly type: 'struct' } {
  const { properties = {}, additionalProperties } = schema;
  const preserves = around || schema['x-kubernetes-preserve-unknown-fields'] === true;
  const fields = Object.entries(properties).map(
    ([name, child]) => [name, lazy(() => structuralType(child, preserves))] as const,
  );
  const takesAny = preserves || fields.length === 0;
  return {
    type: 'struct',
    fields: { ...Object.fromEntries(fields), ...(schema['x-kubernetes-embedded-resource'] ? head : {}) },
    ...(additionalProperties !== undefined
      ? { others: lazy(() => structuralType(additionalProperties, preserves)) }
      : takesAny
        ? { others: () => deduced }
        : {}),
  };
}

function lazy(make: () => FieldType): Lazy {
  let made: FieldType | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** A whole object: its metadata beside the schema of its version. */
export function objectType(schema: StructuralSchema): FieldType {
  const own = mapType({ ...schema, type: 'object' }, false);
  const fields = { ...own.fields, ...head };
  if (schema.properties !== undefined) return { ...own, fields };
  // Every object has fields, so that one whose schema says nothing takes no others, unless it preserves them.
  const { others: _, ...closed } = own;
  const isOpen = schema.additionalProperties !== undefined || schema['x-kubernetes-preserve-unknown-fields'] === true;
  return { ...(isOpen ? own : closed), fields };
}

function listType(schema: StructuralSchema, around: boolean): FieldType {
  const { items = {} } = schema;
  const preserves = around || schema['x-kubernetes-preserve-unknown-fields'] === true;
  const item = lazy(() => structuralType(items, preserves));
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return { type: 'set', item };
    case 'map': {
      const keys = (schema['x-kubernetes-list-map-keys'] ?? []).map((name): ListKey => {
        const value = propertyOf(items, name)?.default;
        return value === undefined ? { name } : { name, default: value };
      });
      return { type: 'listMap', keys, item };
    }
    default:
      return { type: 'atomic', items: item };
  }
}

const texts: FieldType = { type: 'struct', fields: {}, others: () => text };

/** The metadata of every object: https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/ */
const metadataType: FieldType = {
  type: 'struct',
  fields: {
    annotations: () => texts,
    creationTimestamp: () => scalar,
    deletionGracePeriodSeconds: () => numeric,
    deletionTimestamp: () => scalar,
    finalizers: () => ({ type: 'set', item: () => text }),
    generateName: () => text,
    generation: () => numeric,
    labels: () => texts,
    managedFields: () => ({ type: 'atomic', items: () => managedFieldsEntry }),
    name: () => text,
    namespace: () => text,
    ownerReferences: () => ({ type: 'listMap', keys: [{ name: 'uid', default: '' }], item: () => ownerReference }),
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

const managedFieldsEntry: FieldType = {
  type: 'struct',
  fields: {
    apiVersion: () => text,
    fieldsType: () => text,
    fieldsV1: () => deduced,
    manager: () => text,
    operation: () => text,
    subresource: () => text,
    time: () => scalar,
  },
};

const head: Readonly<Record<string, Lazy>> = { apiVersion: () => text, kind: () => text, metadata: () => metadataType };
