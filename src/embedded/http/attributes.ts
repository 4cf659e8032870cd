import { placeOf } from '../api-server.js';
import type { Attributes } from '../engine.js';
import { soughtName } from '../verbs/selection.js';
import type { Asked } from './door.js';
import { given, type Query } from './query.js';
import type { ResourceRoute } from './route.js';

const verbs: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/**
 * What a request asks a right for, which is decided before anything else of it is looked at, and whether the server knows such a path
 * or not: https://github.com/kubernetes/kubernetes/blob/v1.36.3/staging/src/k8s.io/apiserver/pkg/endpoints/request/requestinfo.go
 */
export function attributesOf(route: ResourceRoute, { method, query }: Pick<Asked, 'method' | 'query'>): Attributes {
  const { group, version, plural, name, subresource, watches } = route;
  const about = { group, version, resource: plural, ...given('subresource', subresource) };
  const namespace = given('namespace', route.namespace);
  const verb = watches ? 'watch' : (verbs[method] ?? '');
  if (name !== undefined) return { ...about, verb, ...placeOf(route, { ...namespace, name }) };
  if (verb === 'delete') return { ...about, verb: 'deletecollection', ...namespace };
  if (verb !== 'get') return { ...about, verb, ...namespace };
  return { ...about, verb: query.flag('watch') ? 'watch' : 'list', ...namespace, ...given('name', nameIn(query)) };
}

/** Parameters of which one cannot be read say nothing. */
function nameIn(query: Query): string | undefined {
  try {
    return soughtName(query.selection());
  } catch {
    return undefined;
  }
}
