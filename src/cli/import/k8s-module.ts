import { versionOf } from '../../kube/api-resource.js';
import { OperatorError } from '../../kube/errors.js';
import { classText, headerText } from './class-text.js';
import { compareText, Names, nameAll, pascal } from './names.js';
import type { ImportedApi, OpenApiSchema } from './openapi.js';
import { interfaceText, neededFields, type TypeSource, typeText } from './type-text.js';

/** Schemas that are a value rather than a structure, as authors write them. */
const values: ReadonlyMap<string, string> = new Map([
  ['io.k8s.apimachinery.pkg.util.intstr.IntOrString', 'IntOrString'],
  ['io.k8s.apimachinery.pkg.api.resource.Quantity', 'Quantity'],
  ['io.k8s.apimachinery.pkg.apis.meta.v1.Time', 'string'],
  ['io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime', 'string'],
]);

/** Schemas that the server describes in prose alone. `*` stands for the schema whose name theirs begins with. */
const alternatives: ReadonlyMap<string, string> = new Map([
  ['JSONSchemaPropsOrArray', '* | readonly *[]'],
  ['JSONSchemaPropsOrBool', '* | boolean'],
  ['JSONSchemaPropsOrStringArray', '* | readonly string[]'],
]);

/**
 * Groups in the order of who has the better claim to a short name. A group that is new to Kubernetes comes after all of
 * these, so that what it brings cannot rename what authors already use.
 */
const seniority = [
  ...[
    'core',
    'meta',
    'apps',
    'batch',
    'autoscaling',
    'policy',
    'rbac',
    'authentication',
    'authorization',
    'networking',
  ],
  ...['storage', 'admissionregistration', 'apiextensions', 'apiregistration', 'certificates', 'coordination'],
  ...['discovery', 'events', 'flowcontrol', 'node', 'resource', 'scheduling', 'storagemigration'],
];

const reserved = ['Construct', 'IntOrString', 'Props', 'Quantity', 'Readonly', 'Record', 'TypedObject'];

/**
 * The module `imports/k8s.ts`: a class for every kind, an interface for everything that they refer to. Types and names
 * only, in an order that does not depend on the server's.
 */
export function k8sModule(api: ImportedApi, from: string): string {
  const names = namesOf(api);
  const texts = new Map<string, string>();
  const waiting: string[] = [];
  const source: TypeSource = {
    referred(schema) {
      const name = values.get(schema) ?? names.get(schema) ?? 'unknown';
      if (names.has(schema) && !texts.has(name)) {
        texts.set(name, '');
        waiting.push(schema);
      }
      return name;
    },
    // What has fields has a name of its own in the API server's OpenAPI.
    declared: () => 'Readonly<Record<string, unknown>>',
    // Its defaults are those of Go: an empty name is no name.
    fillsIn: false,
    fault: ({ path }, words) => new OperatorError(`OpenAPI of the API server cannot be imported: ${path} ${words}`),
  };

  const classes = api.kinds.map((kind) => {
    const object = source.referred(kind.schema);
    const name = object.slice(0, -'Object'.length);
    return [name, classText(name, object, kind, neededFields(api.schemas.get(kind.schema) ?? {}, source))] as const;
  });
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    const name = source.referred(schema);
    texts.set(name, declaration(name, schema, api.schemas.get(schema) ?? {}, source));
  }

  const byName = ([a]: readonly [string, string], [b]: readonly [string, string]) => compareText(a, b);
  return [
    headerText(`kilter import k8s from Kubernetes ${api.version}`, ['type Props', 'TypedObject'], from),
    'export type IntOrString = number | string;\nexport type Quantity = number | string;\n',
    ...classes.sort(byName).map(([, text]) => text),
    ...[...texts].sort(byName).map(([, text]) => text),
  ].join('\n');
}

function declaration(name: string, schemaName: string, schema: OpenApiSchema, source: TypeSource): string {
  const place = { path: schemaName, name };
  if (schema.properties) return interfaceText(schema, place, source);
  const alternative = alternatives.get(schemaName.slice(schemaName.lastIndexOf('.') + 1));
  const text = alternative?.replaceAll('*', () => source.referred(schemaName.replace(/Or[A-Za-z]+$/, '')));
  return `export type ${name} = ${text ?? typeText(schema, place, source)};\n`;
}

/** The name of the type of every schema; that of a kind ends in `Object`, and without it is the kind's class. */
function namesOf({ schemas, kinds }: ImportedApi): ReadonlyMap<string, string> {
  const versions = new Map(kinds.map(({ schema, apiVersion }) => [schema, versionOf(apiVersion)]));
  const types = [...schemas.keys()]
    .filter((schema) => !values.has(schema))
    .map((schema) => {
      const [group = '', version = '', short = schema] = schema.split('.').slice(-3);
      return {
        schema,
        short: pascal(short),
        group,
        version: versions.get(schema) ?? version,
        isKind: versions.has(schema),
      };
    });
  const companions = ({ isKind }: (typeof types)[number], name: string) => (isKind ? [`${name}Object`] : []);
  // A kind is what authors look for, and goes before what is only a part of one.
  const rank = ({ isKind, group }: (typeof types)[number]) =>
    (isKind ? 0 : seniority.length + 1) + (seniority.includes(group) ? seniority.indexOf(group) : seniority.length);
  const named = nameAll(types, new Names(reserved), { rank, companions });
  return new Map([...named].map(([{ schema, isKind }, name]) => [schema, isKind ? `${name}Object` : name]));
}
