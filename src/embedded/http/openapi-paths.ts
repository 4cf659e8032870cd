import type { ServedKind } from '../kinds/served-kind.js';
import { apiVersionOf, isTyped } from './typed-kind.js';

type Operation = Readonly<Record<string, unknown>>;
export type PathItem = Readonly<Record<string, unknown>>;

const query = (name: string, type: string) => ({ name, in: 'query', schema: { type, uniqueItems: true } });
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string', uniqueItems: true } });

const listing = [
  query('allowWatchBookmarks', 'boolean'),
  query('continue', 'string'),
  query('fieldSelector', 'string'),
  query('labelSelector', 'string'),
  query('limit', 'integer'),
  query('resourceVersion', 'string'),
  query('resourceVersionMatch', 'string'),
  query('sendInitialEvents', 'boolean'),
  query('timeoutSeconds', 'integer'),
  query('watch', 'boolean'),
];
const writing = [query('dryRun', 'string'), query('fieldManager', 'string'), query('fieldValidation', 'string')];
const deleting = [
  query('dryRun', 'string'),
  query('gracePeriodSeconds', 'integer'),
  query('orphanDependents', 'boolean'),
  query('propagationPolicy', 'string'),
];

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const meta = (name: string) => `io.k8s.apimachinery.pkg.apis.meta.v1.${name}`;
const patchTypes = ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json'];
const strategic = 'application/strategic-merge-patch+json';

/** Which schema, by its name in the document, a kind and its list have. */
export interface SchemaNames {
  readonly object: string;
  readonly list: string;
}

/**
 * The paths of a kind, as clients look through them: for what a kind is called, and for what a request may ask.
 *
 * https://kubernetes.io/docs/concepts/overview/kubernetes-api/#openapi-v3
 */
export function pathsOf(kind: ServedKind, names: SchemaNames): Readonly<Record<string, PathItem>> {
  const { group, version, plural, namespaced, verbs, subresources } = kind;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const collection = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`;
  const item = `${collection}/{name}`;
  const shared = [...(namespaced ? [inPath('namespace')] : []), query('pretty', 'string')];
  const about = { group, version, kind: kind.kind };
  const scale = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
  const operation = operations(kind);

  const of = (verb: string, made: () => Operation) => (verbs.includes(verb) ? made() : undefined);
  const items = (schema: string, gvk: object) => ({
    get: of('get', () => operation('get', `read the specified ${kind.kind}`, gvk, schema)),
    put: of('update', () =>
      operation('put', `replace the specified ${kind.kind}`, gvk, schema, writing, wholeBody(schema)),
    ),
    patch: of('patch', () => {
      const parameters = [...writing, query('force', 'boolean')];
      return operation(
        'patch',
        `partially update the specified ${kind.kind}`,
        gvk,
        schema,
        parameters,
        patchBody(kind),
      );
    }),
    parameters: [inPath('name'), ...shared],
  });
  const paths: Record<string, PathItem> = {
    [collection]: {
      get: of('list', () =>
        operation('list', `list or watch objects of kind ${kind.kind}`, about, names.list, listing),
      ),
      post: of('create', () =>
        operation('post', `create a ${kind.kind}`, about, names.object, writing, wholeBody(names.object)),
      ),
      delete: of('deletecollection', () => {
        const parameters = [...deleting, ...listing.filter(({ name }) => name !== 'watch')];
        return operation('deletecollection', `delete collection of ${kind.kind}`, about, meta('Status'), parameters);
      }),
      parameters: shared,
    },
    [item]: {
      ...items(names.object, about),
      delete: of('delete', () => operation('delete', `delete a ${kind.kind}`, about, meta('Status'), deleting)),
    },
  };
  if (namespaced && verbs.includes('list')) {
    const get = operation('list', `list or watch objects of kind ${kind.kind}`, about, names.list);
    paths[`${root}/${plural}`] = { get, parameters: [...listing, query('pretty', 'string')] };
  }
  if (subresources.status) paths[`${item}/status`] = items(names.object, about);
  if (subresources.scale) paths[`${item}/scale`] = items('io.k8s.api.autoscaling.v1.Scale', scale);
  return paths;
}

function operations(kind: ServedKind) {
  const tag = apiVersionOf(kind).replace(/[./]/g, '_');
  return (
    action: string,
    description: string,
    gvk: object,
    schema: string,
    parameters: readonly object[] = [],
    requestBody?: object,
  ): Operation => ({
    tags: [tag],
    description,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: {
      '200': { description: 'OK', content: { 'application/json': { schema: reference(schema) } } },
      '401': { description: 'Unauthorized' },
    },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': gvk,
  });
}

function wholeBody(schema: string): object {
  return { content: { '*/*': { schema: reference(schema) } }, required: true };
}

function patchBody(kind: ServedKind): object {
  const types = isTyped(kind) ? [...patchTypes, strategic] : patchTypes;
  const content = Object.fromEntries(types.map((type) => [type, { schema: reference(meta('Patch')) }]));
  return { content, required: true };
}
