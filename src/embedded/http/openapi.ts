import { createHash } from 'node:crypto';
import type { KubeObject } from '../../kube/manifest.js';
import { schemasOf } from '../built-in/schemas-of.js';
import { customSchemas } from '../custom/custom-schemas.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { StatusError } from '../status-error.js';
import type { Door } from './door.js';
import { type PathItem, pathsOf, type SchemaNames } from './openapi-paths.js';
import { isTyped } from './typed-kind.js';

type Schema = Readonly<Record<string, unknown>>;
type Schemas = Readonly<Record<string, Schema>>;

/** A document for each group and version: https://kubernetes.io/docs/concepts/overview/kubernetes-api/#openapi-v3 */
export class OpenApi {
  constructor(private readonly door: Door) {}

  /** Where each document is. Its hash is in its address, so that clients need not ask for one that they have. */
  index(): object {
    const paths = [...this.#versions()].map(([path, kinds]) => [
      path,
      { serverRelativeURL: `/openapi/v3/${path}?hash=${this.#hash(path, kinds)}` },
    ]);
    return { paths: Object.fromEntries(paths) };
  }

  /** `path` is that of the index: `apis/apps/v1`. Undefined: no such document. */
  document(path: string): { readonly body: object; readonly hash: string } | undefined {
    const kinds = this.#versions().get(path);
    if (!kinds) return undefined;
    const { group, version } = kinds[0] as ServedKind;
    const builtIn = schemasOf(group, version) as Schemas;
    const schemas: Record<string, Schema> = { ...shared, ...described(builtIn) };
    const paths: Record<string, PathItem> = {};
    for (const kind of kinds) {
      const names = namesOf(kind, builtIn);
      if (!isTyped(kind)) Object.assign(schemas, this.#commonSchemas(), customSchemas(kind, this.#definitionOf(kind)));
      Object.assign(paths, pathsOf(kind, names));
    }
    const info = { title: 'Kubernetes', version: '1.36' };
    return { body: { openapi: '3.0.0', info, paths, components: { schemas } }, hash: this.#hash(path, kinds) };
  }

  #versions(): Map<string, ServedKind[]> {
    const found = new Map<string, ServedKind[]>();
    for (const kind of this.door.kinds.all) {
      const path = kind.group === '' ? `api/${kind.version}` : `apis/${kind.group}/${kind.version}`;
      const before = found.get(path);
      if (before) before.push(kind);
      else found.set(path, [kind]);
    }
    return found;
  }

  /** Changes whenever the document may: with the kinds, and with the definitions of custom ones. */
  #hash(path: string, kinds: readonly ServedKind[]): string {
    const hash = createHash('sha512').update(path);
    for (const kind of kinds) {
      const definition = isTyped(kind) ? undefined : this.#definitionOf(kind);
      const { uid = '', generation = 0 } = definition?.metadata ?? {};
      hash.update(`\n${kind.plural} ${kind.kind} ${uid} ${generation}`);
    }
    return hash.digest('hex').toUpperCase();
  }

  #definitionOf({ group, plural }: ServedKind): KubeObject | undefined {
    const { kinds, verbs } = this.door;
    const definitions = kinds.resource('apiextensions.k8s.io', 'v1', 'customresourcedefinitions');
    if (!definitions) return undefined;
    const caller = { name: 'system:apiserver', groups: ['system:masters'] };
    try {
      return verbs.get(definitions, { name: `${plural}.${group}` }, { caller });
    } catch (error) {
      if (error instanceof StatusError) return undefined;
      throw error;
    }
  }

  /** What every object is made of, from the types of the core group. */
  #commonSchemas(): Schemas {
    const core = schemasOf('', 'v1') as Schemas;
    return Object.fromEntries(Object.entries(core).filter(([name]) => name.startsWith(metaPrefix)));
  }
}

const metaPrefix = 'io.k8s.apimachinery.pkg.apis.meta.v1.';
const shared: Schemas = { [`${metaPrefix}Patch`]: { description: 'The body of a PATCH request.', type: 'object' } };

const description =
  'The embedded API server has the types of built-in kinds and not their descriptions, which are at ' +
  'https://kubernetes.io/docs/reference/kubernetes-api/';

/** `kubectl explain` would show nothing, and not say why. */
function described(schemas: Schemas): Schemas {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, { description, ...schema }]));
}

function namesOf({ group, version, kind, listKind }: ServedKind, schemas: Schemas): SchemaNames {
  const prefix = [...group.split('.').reverse(), version].join('.');
  const named = (wanted: string) => nameOf(schemas, group, version, wanted) ?? `${prefix}.${wanted}`;
  return { object: named(kind), list: named(listKind) };
}

/** The name of the schema that says it is of this kind. */
function nameOf(schemas: Schemas, group: string, version: string, kind: string): string | undefined {
  return Object.entries(schemas).find(([, schema]) => {
    const kinds = schema['x-kubernetes-group-version-kind'] as
      | readonly { readonly group: string; readonly version: string; readonly kind: string }[]
      | undefined;
    return kinds?.some((each) => each.group === group && each.version === version && each.kind === kind);
  })?.[0];
}
