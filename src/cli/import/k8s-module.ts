import { classText, headerText } from './class-text.js';
import { uniqueNames } from './names.js';
import type { ImportedApi, ImportedKind, OpenApiSchema } from './openapi.js';
import { objectText, typeText } from './type-text.js';

/** Schemas that are a value rather than a structure, as authors write them. */
const values: Readonly<Record<string, string>> = {
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': 'IntOrString',
  'io.k8s.apimachinery.pkg.api.resource.Quantity': 'Quantity',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time': 'string',
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime': 'string',
};

/**
 * The module `imports/k8s.ts`: a class for every kind, an interface for everything that they refer to. Types and names
 * only, in an order that does not depend on the server's.
 */
export function k8sModule(api: ImportedApi, from: string): string {
  const kinds = new Map(api.kinds.map((kind) => [kind.schema, kind]));
  const names = namesOf(api, kinds);
  const declared = new Map<string, string>();
  const waiting: string[] = [];
  const typeNames = {
    nameOf(schema: string): string {
      const value = values[schema];
      if (value !== undefined) return value;
      const name = names.get(schema) ?? 'unknown';
      const object = kinds.has(schema) ? `${name}Object` : name;
      if (!declared.has(object)) {
        declared.set(object, '');
        waiting.push(schema);
      }
      return object;
    },
  };

  const classes = [...kinds].map(([schema, kind]) => {
    const name = names.get(schema) as string;
    const needsProps = (api.schemas.get(schema)?.required ?? []).some(
      (field) => field !== 'metadata' && field !== 'status',
    );
    return [name, classText(name, typeNames.nameOf(schema), kind, needsProps)] as const;
  });
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    declared.set(
      typeNames.nameOf(schema),
      declaration(typeNames.nameOf(schema), api.schemas.get(schema) ?? {}, typeNames),
    );
  }

  const byName = ([a]: readonly [string, string], [b]: readonly [string, string]) => (a < b ? -1 : 1);
  return [
    headerText(`kilter import k8s from Kubernetes ${api.version}`, from),
    'export type IntOrString = number | string;\nexport type Quantity = number | string;\n',
    ...classes.sort(byName).map(([, text]) => text),
    ...[...declared].sort(byName).map(([, text]) => text),
  ].join('\n');
}

function declaration(name: string, schema: OpenApiSchema, names: { nameOf(schema: string): string }): string {
  return schema.properties
    ? `export interface ${name} ${objectText(schema, names)}\n`
    : `export type ${name} = ${schema.type === 'object' || schema.type === undefined ? anything(schema, names) : typeText(schema, names)};\n`;
}

/** A schema without fields: what it is stays open, as with the value of a RawExtension. */
function anything(schema: OpenApiSchema, names: { nameOf(schema: string): string }): string {
  return schema.type === 'object' ? objectText(schema, names) : 'unknown';
}

function namesOf({ schemas }: ImportedApi, kinds: ReadonlyMap<string, ImportedKind>): ReadonlyMap<string, string> {
  const types = [...schemas.keys()].map((schema) => {
    const parts = schema.split('.');
    const [group = '', version = ''] = parts.slice(-3, -1);
    const apiVersion = kinds.get(schema)?.apiVersion ?? (group === 'core' ? version : `${group}/${version}`);
    return { schema, short: parts.at(-1) ?? schema, apiVersion };
  });
  return new Map([...uniqueNames(types)].map(([{ schema }, name]) => [schema, name]));
}
