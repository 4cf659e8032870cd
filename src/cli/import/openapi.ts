import { type ApiResource, groupOf, versionOf } from '../../kube/api-resource.js';
import { OperatorError } from '../../kube/errors.js';

/** The part of an OpenAPI v3 schema that types are made of. */
export interface OpenApiSchema {
  readonly $ref?: string;
  readonly allOf?: readonly OpenApiSchema[];
  readonly oneOf?: readonly OpenApiSchema[];
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly items?: OpenApiSchema;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly additionalProperties?: OpenApiSchema | boolean;
  readonly required?: readonly string[];
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[];
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
}

/** A kind that can be created and read, and the name of its schema. */
export interface ImportedKind extends ApiResource {
  readonly schema: string;
}

/** All that an API server says about its built-in kinds. */
export interface ImportedApi {
  /** `1.36`. */
  readonly version: string;
  readonly kinds: readonly ImportedKind[];
  readonly schemas: ReadonlyMap<string, OpenApiSchema>;
}

type Get = (path: string) => Promise<unknown>;

/** Groups at versions that will not change: `v1`, `v2`; not `v1beta1`. */
const stable = /^(?:api|apis\/([^/]+))\/v\d+$/;

/** Where Kubernetes itself keeps its types. Those of custom resources begin with their own group, turned round. */
const builtIn = /^io\.k8s\.(api|apimachinery|apiextensions-apiserver|kube-aggregator)\./;

/**
 * Reads discovery and OpenAPI of an API server: every built-in kind of a stable version that can be created, changed and
 * read. Reviews, bindings and other kinds that are only ever posted are calls, and no objects.
 *
 * What else is installed in the cluster does not show. Throws `OperatorError` for a version that is none.
 */
export async function readApi(get: Get): Promise<ImportedApi> {
  const version = versionText((await get('/version')) as Readonly<Record<string, unknown>>);
  const { paths } = (await get('/openapi/v3')) as { paths: Record<string, unknown> };
  const groupVersions = Object.keys(paths)
    .filter((path) => mayBeBuiltIn(stable.exec(path)?.[1] ?? '') && stable.test(path))
    .sort();

  const schemas = new Map<string, OpenApiSchema>();
  const kinds: ImportedKind[] = [];
  const read = async (path: string) =>
    Promise.all([get(`/openapi/v3/${path}`) as Promise<Document>, get(`/${path}`) as Promise<Discovery>]);
  for (const [index, [document, discovery]] of (await Promise.all(groupVersions.map(read))).entries()) {
    const found = Object.entries(document.components?.schemas ?? {}).filter(([name]) => builtIn.test(name));
    const here = kindsOf((groupVersions[index] ?? '').replace(/^apis?\//, ''), discovery, found);
    // Documents of other people's kinds have copies of the schemas that all share, and of another age.
    if (here.length > 0) for (const [name, schema] of found) schemas.set(name, schema);
    kinds.push(...here);
  }
  return { version, kinds, schemas };
}

/** Numbers alone, since it is written where nothing is quoted; `36+`, as some providers have it, is 36. */
function versionText({ major, minor }: Readonly<Record<string, unknown>>): string {
  const numbers = [major, minor].map((part) => Number.parseInt(String(part), 10));
  if (numbers.every(Number.isSafeInteger)) return numbers.join('.');
  throw new OperatorError(
    `the API server says no version: major is ${JSON.stringify(major)}, minor ${JSON.stringify(minor)}`,
    {
      hint: 'see what "kubectl get --raw /version" gives, and whether something else answers in its place',
    },
  );
}

interface Document {
  readonly components?: { readonly schemas?: Readonly<Record<string, OpenApiSchema>> };
}

interface Discovery {
  readonly resources: readonly { name: string; namespaced: boolean; kind: string; verbs: readonly string[] }[];
}

function kindsOf(
  apiVersion: string,
  { resources }: Discovery,
  schemas: readonly (readonly [string, OpenApiSchema])[],
): ImportedKind[] {
  const group = groupOf(apiVersion);
  const version = versionOf(apiVersion);
  return resources
    .filter(
      ({ name, verbs }) => !name.includes('/') && ['create', 'get', 'patch'].every((verb) => verbs.includes(verb)),
    )
    .flatMap(({ name, namespaced, kind }) => {
      const schema = schemas.find(([, { 'x-kubernetes-group-version-kind': kinds }]) =>
        kinds?.some((each) => each.group === group && each.version === version && each.kind === kind),
      );
      return schema ? [{ apiVersion, kind, plural: name, namespaced: namespaced === true, schema: schema[0] }] : [];
    });
}

/** Spares asking for the documents of most groups that are not. */
function mayBeBuiltIn(group: string): boolean {
  return !group.includes('.') || group.endsWith('.k8s.io');
}
