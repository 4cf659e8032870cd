import { OperatorError } from '../../kube/errors.js';
import { isMap } from '../../kube/plain-map.js';
import type { OpenApiSchema } from './openapi.js';

/** What types are made of in a CustomResourceDefinition. */
export interface Definition {
  /** For errors: `document 2 of crds.yaml`. */
  readonly subject: string;
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Those that the API server serves. */
  readonly versions: readonly DefinedVersion[];
}

export interface DefinedVersion {
  readonly name: string;
  readonly schema: OpenApiSchema;
  /** Where the schema stands. */
  readonly path: string;
  /** It has a column of the condition `Ready`, which no kind has that never says it. */
  readonly saysReady: boolean;
}

/** A parsed document, and what to call it. */
export interface SourceDocument {
  readonly subject: string;
  readonly content: unknown;
}

/**
 * The CustomResourceDefinitions among `documents`, those in a List included; `skip` is told of what is none.
 *
 * Throws `OperatorError`, which names document and field, for a definition that cannot be read, and where there is none.
 */
export function definitionsIn(documents: readonly SourceDocument[], skip: (words: string) => void): Definition[] {
  const definitions = documents.flatMap(itemsOf).flatMap(({ subject, content }) => {
    if (isMap(content) && content['kind'] === 'CustomResourceDefinition') return [definitionOf(subject, content)];
    skip(`skipped ${subject}: ${wordFor(content)}, no CustomResourceDefinition`);
    return [];
  });
  if (definitions.length === 0) {
    throw new OperatorError(`nothing to import: no CustomResourceDefinition in ${sourceOf(documents)}`, {
      hint: 'name a file, a URL or an object that holds CustomResourceDefinitions',
    });
  }
  return definitions;
}

function itemsOf({ subject, content }: SourceDocument): SourceDocument[] {
  if (!isMap(content) || !String(content['kind']).endsWith('List') || !Array.isArray(content['items'])) {
    return [{ subject, content }];
  }
  const kind = String(content['kind']).slice(0, -'List'.length);
  return content['items'].map((item: unknown, index) => ({
    subject: `items[${index}] of ${subject}`,
    // Items of a typed list need not say what they are.
    content: isMap(item) && kind !== '' ? { apiVersion: content['apiVersion'], kind, ...item } : item,
  }));
}

function definitionOf(subject: string, document: Readonly<Record<string, unknown>>): Definition {
  const fault = (words: string, hint?: string) =>
    new OperatorError(`${subject} cannot be imported: ${words}`, { hint });
  const { apiVersion } = document;
  if (apiVersion !== 'apiextensions.k8s.io/v1') {
    throw fault(
      `apiVersion is ${JSON.stringify(apiVersion)}, not apiextensions.k8s.io/v1`,
      'apply it to a cluster that still takes this version, if there is one, and import it from there by name',
    );
  }
  const at = (path: string): unknown =>
    path
      .split('.')
      .reduce<unknown>((value, key) => (isMap(value) && Object.hasOwn(value, key) ? value[key] : undefined), document);
  const text = (path: string, value: unknown): string => {
    if (typeof value === 'string' && value !== '') return value;
    throw fault(`${path} is ${value === undefined ? 'missing' : `${JSON.stringify(value)}, not a text`}`);
  };
  const textAt = (path: string) => text(path, at(path));
  const scope = textAt('spec.scope');
  if (scope !== 'Namespaced' && scope !== 'Cluster') throw fault(`spec.scope is "${scope}", not Namespaced or Cluster`);
  const versions = at('spec.versions');
  if (!Array.isArray(versions)) throw fault(`spec.versions is ${versions === undefined ? 'missing' : 'not a list'}`);
  const served = versions.flatMap((version: unknown, index): DefinedVersion[] => {
    const path = `spec.versions[${index}]`;
    if (!isMap(version)) throw fault(`${path} is not an object`);
    if (version['served'] === false) return [];
    const schema = isMap(version['schema']) ? version['schema']['openAPIV3Schema'] : undefined;
    return [
      {
        name: text(`${path}.name`, version['name']),
        path: `${path}.schema.openAPIV3Schema`,
        saysReady: hasReadyColumn(version['additionalPrinterColumns']),
        // A version without a schema takes whatever it gets.
        schema: isMap(schema) ? schema : { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    ];
  });
  if (served.length === 0) throw fault('spec.versions has none that is served');
  return {
    subject,
    group: textAt('spec.group'),
    kind: textAt('spec.names.kind'),
    plural: textAt('spec.names.plural'),
    namespaced: scope === 'Namespaced',
    versions: served,
  };
}

const readyColumn = /^\.status\.conditions\[\?\(@\.type ?== ?(["'])Ready\1\)\]\.status$/;

function hasReadyColumn(columns: unknown): boolean {
  if (!Array.isArray(columns)) return false;
  return columns.some((column: unknown) => isMap(column) && readyColumn.test(String(column['jsonPath'])));
}

function sourceOf(documents: readonly SourceDocument[]): string {
  return documents.length === 0 ? 'an empty source' : documents.map(({ subject }) => subject).join(', ');
}

function wordFor(content: unknown): string {
  return isMap(content) && typeof content['kind'] === 'string' ? `a ${content['kind']}` : 'no object of Kubernetes';
}
