import { type ApiResource, groupOf } from '../kube/api-resource.js';
import { OperatorError } from '../kube/errors.js';
import { refuseNameless } from '../kube/refuse-nameless.js';

/**
 * The path of a kind, or of one object of it, at an API server.
 *
 * **Guarantees.** No name, however hostile, reaches another path: segments are encoded, and those that a server or a
 * proxy would resolve (`.`, `..`, an empty one, a slash) are refused.
 */
export function pathOf(
  resource: ApiResource,
  {
    namespace,
    name,
    subresource,
  }: { readonly namespace?: string; readonly name?: string; readonly subresource?: string } = {},
): string {
  const segments = [versionPath(resource.apiVersion)];
  if (namespace !== undefined) {
    if (!resource.namespaced) {
      throw new OperatorError(`${resource.kind} is cluster-scoped, and was asked for in namespace "${namespace}"`);
    }
    segments.push('namespaces', segment('namespace', namespace));
  } else if (name !== undefined && resource.namespaced) {
    throw new OperatorError(`${resource.kind} "${name}" was asked for without a namespace`);
  }
  segments.push(segment('plural', resource.plural));
  if (name !== undefined) segments.push(segment('name', name));
  if (subresource !== undefined) segments.push(segment('subresource', subresource));
  return segments.join('/');
}

/** The path of one object. Without its name it would be that of all, whom a DELETE takes together. */
export function objectPathOf(
  resource: ApiResource,
  target: { readonly namespace?: string; readonly name: string; readonly subresource?: string },
): string {
  refuseNameless(resource, target);
  return pathOf(resource, target);
}

/** The path of all kinds of an apiVersion. */
export function versionPath(apiVersion: string): string {
  const root = groupOf(apiVersion) === '' ? '/api' : '/apis';
  return [root, ...apiVersion.split('/').map((part) => segment('apiVersion', part))].join('/');
}

/** The path with those of `parameters` that are set. */
export function withQuery(
  path: string,
  parameters: Readonly<Record<string, string | number | boolean | undefined>>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value));
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}

function segment(what: string, text: string): string {
  if (text === '' || text === '.' || text === '..' || text.includes('/') || text.includes('%')) {
    throw new OperatorError(`"${text}" is no ${what} that can stand in a path`);
  }
  return encodeURIComponent(text);
}
