import type { Json } from '../kube/manifest.js';

/**
 * A structural schema, as `openAPIV3Schema` of a CustomResourceDefinition carries it: the one form in which a schema is
 * kept here. Types, defaults, validation and the CRD all come from it, so they cannot disagree.
 *
 * Only what can be structural has a key: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema
 */
export interface StructuralSchema {
  readonly type?: 'array' | 'boolean' | 'integer' | 'number' | 'object' | 'string';
  readonly format?: string;
  readonly description?: string;
  readonly nullable?: true;
  readonly default?: Json;
  readonly enum?: readonly Json[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly properties?: Readonly<Record<string, StructuralSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: StructuralSchema;
  readonly items?: StructuralSchema;
  /** These four restrict values and declare nothing: they say no type of their own. */
  readonly allOf?: readonly StructuralSchema[];
  readonly anyOf?: readonly StructuralSchema[];
  readonly oneOf?: readonly StructuralSchema[];
  readonly not?: StructuralSchema;
  readonly 'x-kubernetes-int-or-string'?: true;
  readonly 'x-kubernetes-preserve-unknown-fields'?: true;
  /** An object of some kind of its own, with apiVersion, kind and metadata. */
  readonly 'x-kubernetes-embedded-resource'?: true;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
}

/** A CEL rule: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-rules */
export interface ValidationRule {
  /** A CEL expression that is true for a good value. `self` is the value, `oldSelf` what it replaces. */
  readonly rule: string;
  /** One line for whoever is refused. Default: `failed rule: …`, with the rule. */
  readonly message?: string;
  /** A CEL expression that gives the message. Used instead of `message` unless it fails. */
  readonly messageExpression?: string;
  /** How a refusal is classed, for machines. Default: `FieldValueInvalid`. */
  readonly reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';
  /** Where the problem is shown, relative to the value: `.size`. */
  readonly fieldPath?: string;
  /** True makes `oldSelf` an optional, so that the rule also runs when there is no old value. */
  readonly optionalOldSelf?: boolean;
}

/** The property of that name, and never something that every JavaScript object inherits. */
export function propertyOf(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  return schema.properties !== undefined && Object.hasOwn(schema.properties, name)
    ? schema.properties[name]
    : undefined;
}

/** A schema under another one, and how a person finds it: `.spec.properties[hosts].items`. */
export interface Subschema {
  readonly path: string;
  readonly schema: StructuralSchema;
}

/** The schemas directly below, under the paths that the API server uses when it refuses a definition. */
export function childrenOf(schema: StructuralSchema, path: string): Subschema[] {
  return [
    ...(schema.items === undefined ? [] : [{ path: `${path}.items`, schema: schema.items }]),
    ...(schema.additionalProperties === undefined
      ? []
      : [{ path: `${path}.additionalProperties`, schema: schema.additionalProperties }]),
    ...Object.entries(schema.properties ?? {}).map(([name, child]) => ({
      path: `${path}.properties[${name}]`,
      schema: child,
    })),
  ];
}

/** A copy in which any fields may be absent, however many, except the keys of list maps, which the server insists on. */
export function withoutRequired(schema: StructuralSchema, keep: readonly string[] = []): StructuralSchema {
  const { required, minProperties: _, items, additionalProperties, properties, ...rest } = schema;
  const kept = required?.filter((name) => keep.includes(name)) ?? [];
  return {
    ...rest,
    ...(kept.length === 0 ? {} : { required: kept }),
    ...(items === undefined ? {} : { items: withoutRequired(items, schema['x-kubernetes-list-map-keys']) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: withoutRequired(additionalProperties) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, child]) => [name, withoutRequired(child)]),
          ),
        }),
  };
}
