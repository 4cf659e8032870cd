/** What a path is about. */
export type Route =
  | ResourceRoute
  /** Everything that belongs to no kind: `/version`, `/apis/apps/v1`. */
  | { readonly type: 'path'; readonly parts: readonly string[] };

export interface ResourceRoute {
  readonly type: 'resource';
  readonly group: string;
  readonly version: string;
  readonly namespace?: string;
  readonly plural: string;
  readonly name?: string;
  readonly subresource?: string;
  /** What follows the subresource, such as the path of a proxy. */
  readonly rest: readonly string[];
  /** The older form, `/api/v1/watch/pods`. */
  readonly watches: boolean;
}

/**
 * Takes a decoded path apart: https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-uris
 *
 * A slash at the end does not count. Undefined when a part is empty, which names nothing.
 */
export function routeOf(path: string): Route | undefined {
  const parts = path.replace(/^\/|\/$/g, '').split('/');
  const [prefix, ...others] = parts;
  const isCore = prefix === 'api';
  const afterVersion = others.slice(isCore ? 1 : 2);
  if ((!isCore && prefix !== 'apis') || afterVersion.length === 0) return { type: 'path', parts };
  if (parts.includes('')) return undefined;

  const [group, version] = isCore ? ['', others[0]] : others;
  const watches = afterVersion[0] === 'watch' && afterVersion.length > 1;
  const about = { type: 'resource', group: group ?? '', version: version ?? '', watches } as const;
  const [first = '', second, ...rest] = watches ? afterVersion.slice(1) : afterVersion;
  const isNamespaced = first === 'namespaces' && second !== undefined && rest.length > 0 && !ofNamespace(rest);
  if (!isNamespaced) return { ...about, plural: first, ...named(second, rest) };
  const [plural = '', name, ...deeper] = rest;
  return { ...about, namespace: second, plural, ...named(name, deeper) };
}

/** `status` and `finalize` belong to the namespace itself. */
function ofNamespace([first, ...others]: readonly string[]): boolean {
  return others.length === 0 && (first === 'status' || first === 'finalize');
}

function named(name: string | undefined, [subresource, ...rest]: readonly string[]) {
  return {
    ...(name === undefined ? {} : { name }),
    ...(subresource === undefined ? {} : { subresource }),
    rest,
  };
}
