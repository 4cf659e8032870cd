import type { Json, KubeObject } from '../../kube/manifest.js';
import type { OpenApiSchema } from '../built-in/schemas-of.js';
import type { ServedKind } from '../kinds/served-kind.js';
import type { CustomDefinition, RawSchema } from './custom-definition.js';
import { isSchema } from './structural-of.js';

const conventions = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';
const meta = '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1';

const metadata = reference(`Standard object's metadata. More info: ${conventions}#metadata`, `${meta}.ObjectMeta`);

const head = {
  apiVersion: {
    description: `APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: ${conventions}#resources`,
    type: 'string',
  },
  kind: {
    description: `Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: ${conventions}#types-kinds`,
    type: 'string',
  },
};

const embeddedHead = {
  apiVersion: {
    description: `apiVersion defines the versioned schema of this representation of an object. More info: ${conventions}#resources`,
    type: 'string',
  },
  kind: {
    description: `kind is a string value representing the type of this object. In CamelCase. More info: ${conventions}#types-kinds`,
    type: 'string',
  },
};

/** `dev.kilter.v1.Memcached`: under which name the OpenAPI document has a custom kind, or its list. */
function schemaName({ group, version }: ServedKind, kind: string): string {
  return [...group.split('.').reverse(), version, kind].join('.');
}

/**
 * The schemas of a custom kind and of its list, as `kubectl explain` and clients that generate code read them.
 *
 * https://kubernetes.io/docs/concepts/overview/kubernetes-api/#openapi-v3
 */
export function customSchemas(kind: ServedKind, definition: KubeObject | undefined): Record<string, OpenApiSchema> {
  const { group, version, listKind, plural } = kind;
  const name = schemaName(kind, kind.kind);
  const versions = (definition as CustomDefinition | undefined)?.spec.versions ?? [];
  const served = versions.find((each) => each.name === version);
  const raw = served?.schema?.openAPIV3Schema;
  const fields = (served?.selectableFields ?? []).map(({ jsonPath }) => ({ fieldPath: jsonPath.replace(/^\./, '') }));
  const selectable = fields.length > 0 ? { 'x-kubernetes-selectable-fields': fields } : {};
  const own = shown(raw ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true });
  const isKind = (said: string) => ({ 'x-kubernetes-group-version-kind': [{ group, version, kind: said }] });
  const properties = { ...(own['properties'] as object | undefined), ...head, metadata };
  return {
    [name]: {
      ...own,
      properties,
      ...isKind(kind.kind),
      ...selectable,
    },
    [schemaName(kind, listKind)]: {
      description: `${listKind} is a list of ${kind.kind}`,
      type: 'object',
      required: ['items'],
      properties: {
        ...head,
        items: {
          description: `List of ${plural}. More info: ${conventions}`,
          type: 'array',
          items: { $ref: `#/components/schemas/${name}` },
        },
        metadata: reference(`Standard list metadata. More info: ${conventions}#types-kinds`, `${meta}.ListMeta`),
      },
      ...isKind(listKind),
      ...selectable,
    },
  };
}

function reference(description: string, $ref: string): OpenApiSchema {
  return { description, allOf: [{ $ref }] };
}

/** A schema with what every object inside of it has, though no definition says it. */
function shown(raw: RawSchema): Record<string, unknown> {
  const schema: Record<string, unknown> = { ...raw };
  for (const key of ['items', 'additionalProperties', 'not'] as const) {
    if (isSchema(raw[key])) schema[key] = shown(raw[key]);
  }
  if (isSchema(raw['properties'])) {
    const properties = Object.entries(raw['properties']);
    if (properties.length === 0) delete schema['properties'];
    else
      schema['properties'] = Object.fromEntries(properties.map(([name, child]) => [name, shown(child as RawSchema)]));
  }
  if (raw['x-kubernetes-int-or-string'] === true) restrictToBoth(schema);
  if (raw['x-kubernetes-embedded-resource'] !== true) return schema;
  const required = (raw['required'] ?? []) as readonly string[];
  schema['required'] = [...required, ...['kind', 'apiVersion'].filter((name) => !required.includes(name))];
  schema['properties'] = { ...(schema['properties'] as object | undefined), ...embeddedHead, metadata };
  return schema;
}

const eitherType: Json = [{ type: 'integer' }, { type: 'string' }];

/** An int-or-string says in the terms of JSON Schema, too, what it may be. */
function restrictToBoth(schema: Record<string, unknown>): void {
  const [first] = (schema['allOf'] ?? []) as readonly RawSchema[];
  const isSaid = [schema['anyOf'], first?.['anyOf']].some(
    (each) => JSON.stringify(each) === JSON.stringify(eitherType),
  );
  if (isSaid) return;
  if (schema['anyOf'] === undefined) schema['anyOf'] = eitherType;
  else schema['allOf'] = [{ anyOf: eitherType }, ...((schema['allOf'] ?? []) as readonly Json[])];
}
