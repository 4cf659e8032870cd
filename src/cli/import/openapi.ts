import type { ApiResource } from '../../kube/api-resource.js';

/** The part of an OpenAPI v3 schema that types are made of. */
export interface OpenApiSchema {
  readonly $ref?: string;
  readonly allOf?: readonly OpenApiSchema[];
  readonly oneOf?: readonly OpenApiSchema[];
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly nullable?: boolean;
  readonly items?: OpenApiSchema;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly additionalProperties?: OpenApiSchema | boolean;
  readonly required?: readonly string[];
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[];
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
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

/** Versions that will not change: `v1`, `v2`; not `v1beta1`. */
const stable = /^v\d+$/;

/**
 * Reads discovery and OpenAPI of an API server: every built-in kind of a stable version that can be created, changed and
 * read. Reviews and other kinds that are only ever posted are calls, and no objects.
 */
export async function readApi(get: Get): Promise<ImportedApi> {
  const { major, minor } = (await get('/version')) as { major: string; minor: string };
  const { paths } = (await get('/openapi/v3')) as { paths: Record<string, unknown> };
  const groupVersions = Object.keys(paths)
    .filter(
      (path) => /^api\/[^/]+$|^apis\/[^/]+\/[^/]+$/.test(path) && stable.test(path.slice(path.lastIndexOf('/') + 1)),
    )
    // Groups of custom resources have a dot and no place among the built-in ones.
    .filter((path) => isBuiltIn(path.split('/')[1] ?? ''))
    .sort();

  const schemas = new Map<string, OpenApiSchema>();
  const kinds: ImportedKind[] = [];
  for (const path of groupVersions) {
    const document = (await get(`/openapi/v3/${path}`)) as { components?: { schemas?: Record<string, OpenApiSchema> } };
    const found = Object.entries(document.components?.schemas ?? {});
    for (const [name, schema] of found) schemas.set(name, schema);
    const apiVersion = path.replace(/^apis?\//, '');
    kinds.push(...kindsOf(apiVersion, (await get(`/${path}`)) as Discovery, found));
  }
  return { version: `${major}.${Number.parseInt(minor, 10)}`, kinds, schemas };
}

interface Discovery {
  readonly resources: readonly { name: string; namespaced: boolean; kind: string; verbs: readonly string[] }[];
}

function kindsOf(
  apiVersion: string,
  { resources }: Discovery,
  schemas: readonly (readonly [string, OpenApiSchema])[],
): ImportedKind[] {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  return resources
    .filter(
      ({ name, verbs }) => !name.includes('/') && ['create', 'get', 'patch'].every((verb) => verbs.includes(verb)),
    )
    .flatMap(({ name, namespaced, kind }) => {
      const schema = schemas.find(([, { 'x-kubernetes-group-version-kind': kinds }]) =>
        kinds?.some((each) => each.group === group && each.version === version && each.kind === kind),
      );
      return schema ? [{ apiVersion, kind, plural: name, namespaced, schema: schema[0] }] : [];
    });
}

/** Kubernetes' own groups have no dot, or are below `k8s.io`; those of others that live there are not stored as built-in. */
function isBuiltIn(group: string): boolean {
  return !group.includes('.') || builtInSuffix.test(group);
}

const builtInSuffix =
  /^(admissionregistration|apiextensions|apiregistration|authentication|authorization|certificates|coordination|discovery|events|flowcontrol\.apiserver|internal\.apiserver|networking|node|rbac\.authorization|resource|scheduling|storage|storagemigration)\.k8s\.io$/;
