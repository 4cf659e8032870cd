import { groupOf, versionOf } from '../../kube/api-resource.js';
import type { Json } from '../../kube/manifest.js';
import { type ApiField, type ApiType, apiType, apiTypeNamed, kindRecords } from './api-type.js';
import { zeroOf } from './field-type-of.js';

/** A schema of OpenAPI v3. */
export type OpenApiSchema = Readonly<Record<string, unknown>>;

const made = new Map<string, Readonly<Record<string, OpenApiSchema>>>();
const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/**
 * The schemas of the built-in kinds of a group and version, by name, with all that they refer to: what stands below
 * `components.schemas` of `/openapi/v3/apis/<group>/<version>`, without the descriptions. Of no other group there are any.
 *
 * https://kubernetes.io/docs/concepts/overview/kubernetes-api/#openapi-v3
 */
export function schemasOf(group: string, version: string): Readonly<Record<string, OpenApiSchema>> {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const known = made.get(apiVersion);
  if (known) return known;
  const schemas = makeSchemas(apiVersion);
  made.set(apiVersion, schemas);
  return schemas;
}

function makeSchemas(apiVersion: string): Record<string, OpenApiSchema> {
  const records = kindRecords().filter((record) => record.apiVersion === apiVersion);
  if (records.length === 0) return {};
  const roots = records
    .flatMap((record) => [record, ...record.subresources])
    // Those of exec and its like are no bodies: they stand in queries.
    .filter(({ kind }) => !kind.endsWith('Options'))
    .map(({ type }) => apiType(type));
  const others = ['DeleteOptions', 'Status'].map((kind) => ({ type: apiTypeNamed(`${meta}.${kind}`), kind }));
  const kinds = new Map([
    ...kindRecords().flatMap((record) =>
      [record, ...record.subresources].map(
        (each) => [apiType(each.type), kindOf(each.apiVersion ?? record.apiVersion, each.kind)] as const,
      ),
    ),
    ...others.map(({ type, kind }) => [type, kindOf('v1', kind)] as const),
  ]);

  const schemas: Record<string, OpenApiSchema> = {};
  for (const type of reached([...roots, ...others.map(({ type }) => type)])) {
    const kind = kinds.get(type);
    schemas[type.model as string] = {
      ...schemaOf(type),
      ...(kind && { 'x-kubernetes-group-version-kind': [kind] }),
    };
  }
  for (const { type, kind, verbs } of records) {
    if (verbs.includes('list')) Object.assign(schemas, listSchema(apiType(type).model as string, apiVersion, kind));
  }
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function kindOf(apiVersion: string, kind: string): OpenApiSchema {
  return { group: groupOf(apiVersion), version: versionOf(apiVersion), kind };
}

/** All types with a name among those that values of `roots` are made of. */
function reached(roots: readonly ApiType[]): ApiType[] {
  const found = new Set<ApiType>();
  const waiting = [...roots];
  for (let type = waiting.pop(); type; type = waiting.pop()) {
    if (found.has(type)) continue;
    found.add(type);
    waiting.push(...type.fields.map((field) => field.type), ...(type.elem ? [type.elem] : []));
  }
  return [...found].filter(({ model }) => model !== undefined);
}

function listSchema(model: string, apiVersion: string, kind: string): Record<string, OpenApiSchema> {
  const properties = {
    apiVersion: { type: 'string' },
    items: { type: 'array', items: reference(model) },
    kind: { type: 'string' },
    metadata: reference(`${meta}.ListMeta`),
  };
  const gvk = kindOf(apiVersion, `${kind}List`);
  return {
    [`${model}List`]: {
      type: 'object',
      required: ['items'],
      properties,
      'x-kubernetes-group-version-kind': [gvk],
    },
  };
}

function reference(model: string): OpenApiSchema {
  return { $ref: `#/components/schemas/${model}` };
}

const scalars: Readonly<Partial<Record<ApiType['kind'], OpenApiSchema>>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  float64: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
  time: { type: 'string', format: 'date-time' },
  microTime: { type: 'string', format: 'date-time' },
  quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  intOrString: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  fieldsV1: { type: 'object' },
};

/** Of what may be anything nothing is said. */
function schemaOf(type: ApiType): OpenApiSchema {
  const { kind, elem, fields } = type;
  if (kind === 'struct') {
    const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    return {
      type: 'object',
      ...(required.length > 0 && { required }),
      ...(fields.length > 0 && {
        properties: Object.fromEntries(fields.map((field) => [field.name, propertyOf(field)])),
      }),
      ...(type.isAtomic && { 'x-kubernetes-map-type': 'atomic' }),
    };
  }
  if (kind === 'list' && elem) return { type: 'array', items: useOf(elem) };
  if (kind === 'map' && elem) return { type: 'object', additionalProperties: useOf(elem) };
  if (kind === 'raw' && type.name === 'runtime.RawExtension') return { type: 'object' };
  return { ...scalars[kind], ...(type.enum && { enum: type.enum }) };
}

function useOf(type: ApiType): OpenApiSchema {
  return type.model === undefined ? schemaOf(type) : reference(type.model);
}

function propertyOf(field: ApiField): OpenApiSchema {
  const { type, default: value = zeroOf(field), list, keys, map, patch, mergeKey } = field;
  const beside: Record<string, Json> = {};
  if (value !== undefined) beside['default'] = value;
  if (list) beside['x-kubernetes-list-type'] = list;
  if (keys) beside['x-kubernetes-list-map-keys'] = keys;
  if (map) beside['x-kubernetes-map-type'] = map;
  if (patch) beside['x-kubernetes-patch-strategy'] = patch;
  if (mergeKey) beside['x-kubernetes-patch-merge-key'] = mergeKey;
  const use = useOf(type);
  // A reference stands alone, or it hides what stands beside it.
  return '$ref' in use && Object.keys(beside).length > 0 ? { ...beside, allOf: [use] } : { ...use, ...beside };
}
