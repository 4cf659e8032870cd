import type { Json } from '../../../kube/manifest.js';
import { goJson } from '../../../schema/go-format.js';
import { isSaidEmpty } from '../../said-more.js';
import type { DefinitionVersion, RawSchema } from '../custom-definition.js';
import { isSchema } from '../structural-of.js';
import { isSet, propertiesOf, schemaAt, schemasAt } from './raw-schema.js';

/**
 * Parts of a definition as the server shows them when it refuses them: as JSON of Go structs that have no names for JSON,
 * so that every field is there, under its name in Go.
 */

type Field = readonly [name: string, text: string];

function struct(fields: readonly Field[]): string {
  return `{${fields.map(([name, text]) => `"${name}":${text}`).join(',')}}`;
}

function list<T>(items: readonly T[], show: (item: T) => string, none = 'null'): string {
  return items.length === 0 ? none : `[${items.map(show).join(',')}]`;
}

function map(entries: readonly (readonly [name: string, schema: RawSchema])[], none: string): string {
  return entries.length === 0
    ? none
    : `{${entries.map(([name, child]) => `${goJson(name)}:${goSchema(child)}`).join(',')}}`;
}

export function goSchema(schema: RawSchema): string {
  const text = (key: string) => goJson(schema[key] ?? '');
  const flag = (key: string) => goJson(schema[key] ?? false);
  const pointer = (key: string) => goJson(schema[key] ?? null);
  // What was said to be empty is, until it is stored.
  const none = (key: string, empty: string) => (isSaidEmpty(schema, key) ? empty : 'null');
  const items = (key: string) => list(schemasAt(schema, key), (each) => goJson(each), none(key, '[]'));
  const schemas = (key: string) => list(schemasAt(schema, key), goSchema, none(key, '[]'));
  const properties = (key: string) => map(propertiesOf(schema, key), none(key, '{}'));
  const child = (key: string) => (isSet(schema, key) ? goSchema(schemaAt(schema, key) ?? {}) : 'null');
  return struct([
    ['ID', text('id')],
    ['Schema', text('$schema')],
    ['Ref', pointer('$ref')],
    ['Description', text('description')],
    ['Type', text('type')],
    ['Nullable', flag('nullable')],
    ['Format', text('format')],
    ['Title', text('title')],
    ['Default', pointer('default')],
    ['Maximum', pointer('maximum')],
    ['ExclusiveMaximum', flag('exclusiveMaximum')],
    ['Minimum', pointer('minimum')],
    ['ExclusiveMinimum', flag('exclusiveMinimum')],
    ['MaxLength', pointer('maxLength')],
    ['MinLength', pointer('minLength')],
    ['Pattern', text('pattern')],
    ['MaxItems', pointer('maxItems')],
    ['MinItems', pointer('minItems')],
    ['UniqueItems', flag('uniqueItems')],
    ['MultipleOf', pointer('multipleOf')],
    ['Enum', items('enum')],
    ['MaxProperties', pointer('maxProperties')],
    ['MinProperties', pointer('minProperties')],
    ['Required', items('required')],
    ['Items', goItems(schema['items'])],
    ['AllOf', schemas('allOf')],
    ['OneOf', schemas('oneOf')],
    ['AnyOf', schemas('anyOf')],
    ['Not', child('not')],
    ['Properties', properties('properties')],
    ['AdditionalProperties', goSchemaOrBool(schema['additionalProperties'])],
    ['PatternProperties', properties('patternProperties')],
    ['Dependencies', goDependencies(schema)],
    ['AdditionalItems', goSchemaOrBool(schema['additionalItems'])],
    ['Definitions', properties('definitions')],
    ['ExternalDocs', goExternalDocs(schemaAt(schema, 'externalDocs'))],
    ['Example', pointer('example')],
    ['XPreserveUnknownFields', pointer('x-kubernetes-preserve-unknown-fields')],
    ['XEmbeddedResource', flag('x-kubernetes-embedded-resource')],
    ['XIntOrString', flag('x-kubernetes-int-or-string')],
    ['XListMapKeys', items('x-kubernetes-list-map-keys')],
    ['XListType', pointer('x-kubernetes-list-type')],
    ['XMapType', pointer('x-kubernetes-map-type')],
    ['XValidations', list(schemasAt(schema, 'x-kubernetes-validations'), goRule)],
  ]);
}

function goItems(items: Json | undefined): string {
  if (items === undefined || items === null) return 'null';
  const isList = Array.isArray(items);
  return struct([
    ['Schema', isSchema(items) ? goSchema(items) : 'null'],
    ['JSONSchemas', isList ? list(items as readonly RawSchema[], goSchema) : 'null'],
  ]);
}

function goSchemaOrBool(value: Json | undefined): string {
  if (value === undefined || value === null) return 'null';
  return struct([
    ['Allows', goJson(value !== false)],
    ['Schema', isSchema(value) ? goSchema(value) : 'null'],
  ]);
}

function goDependencies(schema: RawSchema): string {
  const entries = propertiesOf(schema, 'dependencies');
  if (entries.length === 0) return 'null';
  const shown = entries.map(([name, value]) => {
    const names = Array.isArray(value) ? (value as readonly string[]) : [];
    const parts: readonly Field[] = [
      ['Schema', isSchema(value) ? goSchema(value) : 'null'],
      ['Property', list(names, goJson)],
    ];
    return `${goJson(name)}:${struct(parts)}`;
  });
  return `{${shown.join(',')}}`;
}

function goExternalDocs(docs: RawSchema | undefined): string {
  if (!docs) return 'null';
  return struct([
    ['Description', goJson(docs['description'] ?? '')],
    ['URL', goJson(docs['url'] ?? '')],
  ]);
}

export function goRule(rule: RawSchema): string {
  return struct([
    ['Rule', goJson(rule['rule'] ?? '')],
    ['Message', goJson(rule['message'] ?? '')],
    ['MessageExpression', goJson(rule['messageExpression'] ?? '')],
    ['Reason', goJson(rule['reason'] ?? null)],
    ['FieldPath', goJson(rule['fieldPath'] ?? '')],
    ['OptionalOldSelf', goJson(rule['optionalOldSelf'] ?? null)],
  ]);
}

export function goVersions(versions: readonly Partial<DefinitionVersion>[]): string {
  return list(versions, (version) =>
    struct([
      ['Name', goJson(version.name ?? '')],
      ['Served', goJson(version.served ?? false)],
      ['Storage', goJson(version.storage ?? false)],
      ['Deprecated', goJson(version.deprecated ?? false)],
      ['DeprecationWarning', goJson(version.deprecationWarning ?? null)],
      ['Schema', goValidation(version.schema)],
      ['Subresources', goSubresources(version.subresources)],
      ['AdditionalPrinterColumns', list(version.additionalPrinterColumns ?? [], goColumn)],
      [
        'SelectableFields',
        list(version.selectableFields ?? [], ({ jsonPath }) => struct([['JSONPath', goJson(jsonPath)]])),
      ],
    ]),
  );
}

function goValidation(validation: DefinitionVersion['schema']): string {
  if (!validation) return 'null';
  const { openAPIV3Schema: schema } = validation;
  return struct([['OpenAPIV3Schema', schema ? goSchema(schema) : 'null']]);
}

function goSubresources(subresources: DefinitionVersion['subresources']): string {
  if (!subresources) return 'null';
  const { status, scale } = subresources;
  return struct([
    ['Status', status ? '{}' : 'null'],
    [
      'Scale',
      scale
        ? struct([
            ['SpecReplicasPath', goJson(scale.specReplicasPath ?? '')],
            ['StatusReplicasPath', goJson(scale.statusReplicasPath ?? '')],
            ['LabelSelectorPath', goJson(scale.labelSelectorPath ?? null)],
          ])
        : 'null',
    ],
  ]);
}

function goColumn(column: NonNullable<DefinitionVersion['additionalPrinterColumns']>[number]): string {
  return struct([
    ['Name', goJson(column.name ?? '')],
    ['Type', goJson(column.type ?? '')],
    ['Format', goJson(column.format ?? '')],
    ['Description', goJson(column.description ?? '')],
    ['Priority', goJson(column.priority ?? 0)],
    ['JSONPath', goJson(column.jsonPath ?? '')],
  ]);
}
