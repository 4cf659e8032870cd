import { OperatorError } from '../../kube/errors.js';
import { classText, headerText } from './class-text.js';
import { pascal } from './names.js';
import type { OpenApiSchema } from './openapi.js';
import { objectText, typeText } from './type-text.js';

interface Crd {
  readonly metadata?: { readonly name?: string };
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly kind: string; readonly plural: string };
    readonly versions: readonly {
      readonly name: string;
      readonly served?: boolean;
      readonly storage?: boolean;
      readonly schema?: { readonly openAPIV3Schema?: OpenApiSchema };
    }[];
  };
}

/**
 * A module of construct classes for the served versions of CustomResourceDefinitions. The stored version has the bare
 * name of the kind; others append theirs. Throws `OperatorError` for a document that is no such definition.
 */
export function crdModule(documents: readonly unknown[], source: string, from: string): string {
  const texts = documents.map((document, index) => textOf(document, `document ${index + 1} of ${source}`));
  return [headerText('kilter import crd', from), ...texts].join('\n');
}

function textOf(document: unknown, subject: string): string {
  const { group, scope, names, versions } = checked(document, subject).spec;
  return versions
    .filter(({ served = true }) => served)
    .map(({ name: version, storage, schema }) => {
      const kind = pascal(names.kind);
      const name = storage || versions.length === 1 ? kind : `${kind}${pascal(version)}`;
      const { properties = {}, required = [] } = schema?.openAPIV3Schema ?? {};
      const fields = Object.entries(properties).filter(
        ([field]) => !['apiVersion', 'kind', 'metadata'].includes(field),
      );
      const declared = fields.map(([field, fieldSchema]) => declaration(`${name}${pascal(field)}`, fieldSchema));
      const object = {
        type: 'object',
        required: required.filter((field) => field !== 'metadata'),
        properties: Object.fromEntries([
          ['metadata', { $ref: 'MetadataProps' }],
          ...fields.map(([field]) => [field, { $ref: `${name}${pascal(field)}` }] as const),
        ]),
      };
      const needsProps = required.some((field) => field !== 'metadata' && field !== 'status');
      const resource = {
        apiVersion: `${group}/${version}`,
        kind: names.kind,
        plural: names.plural,
        namespaced: scope === 'Namespaced',
      };
      return [
        classText(name, `${name}Object`, resource, needsProps),
        `export interface ${name}Object ${objectText(object, verbatim)}\n`,
        ...declared,
      ].join('\n');
    })
    .join('\n');
}

const verbatim = {
  nameOf: (name: string) => (name === 'MetadataProps' ? "NonNullable<Props<unknown>['metadata']>" : name),
};

function declaration(name: string, schema: OpenApiSchema): string {
  return schema.type === 'object' && schema.properties
    ? `export interface ${name} ${objectText(schema, verbatim)}\n`
    : `export type ${name} = ${typeText(schema, verbatim)};\n`;
}

function checked(document: unknown, subject: string): Crd {
  const { kind, apiVersion, spec } = (document ?? {}) as {
    kind?: unknown;
    apiVersion?: unknown;
    spec?: Partial<Crd['spec']>;
  };
  if (kind !== 'CustomResourceDefinition') {
    throw new OperatorError(
      `${subject} cannot be imported: it is ${kind === undefined ? 'no object' : `a ${String(kind)}`}`,
      {
        hint: 'name a file, URL or object that is a CustomResourceDefinition',
      },
    );
  }
  if (apiVersion !== 'apiextensions.k8s.io/v1') {
    throw new OperatorError(
      `${subject} cannot be imported: its apiVersion is ${String(apiVersion)}, not apiextensions.k8s.io/v1`,
    );
  }
  for (const [field, present] of Object.entries({
    'spec.group': typeof spec?.group === 'string',
    'spec.names.kind': typeof spec?.names?.kind === 'string',
    'spec.names.plural': typeof spec?.names?.plural === 'string',
    'spec.versions': Array.isArray(spec?.versions),
  })) {
    if (!present) throw new OperatorError(`${subject} cannot be imported: ${field} is missing`);
  }
  return document as Crd;
}
