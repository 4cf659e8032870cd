import type { HttpCluster } from '../client/http-cluster.js';
import type { ApiResource } from '../kube/api-resource.js';
import { asError, OperatorError } from '../kube/errors.js';

interface Group {
  readonly name: string;
  readonly versions: readonly Version[];
  readonly preferredVersion: Version;
}

interface Version {
  readonly groupVersion: string;
}

interface ServedResource {
  readonly name: string;
  readonly singularName?: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
}

/**
 * The kind of custom resource that a person calls `mc`, `memcached`, `memcacheds` or `memcacheds.cache.example.com`, as
 * kubectl takes it: in the version that its group prefers, or else in the first that has it.
 *
 * Throws `OperatorError` when the cluster has none of that name, or more than one. A group that does not answer, such as
 * that of an aggregated API server that is away, is told of only where the name is not found in the others.
 */
export async function resourceNamed(cluster: Pick<HttpCluster, 'request'>, said: string): Promise<ApiResource> {
  const [name = '', ...rest] = said.toLowerCase().split('.');
  const group = rest.join('.');
  const { groups } = ((await cluster.request('GET', '/apis')) ?? {}) as { readonly groups?: readonly Group[] };
  // As something else answers that listens there, or stands before it.
  if (!Array.isArray(groups)) throw new OperatorError('/apis get failed: the server answered with no list of groups');
  const wanted = group === '' ? groups : groups.filter((each) => each.name === group);
  const silent = new Map<string, Error>();

  const inVersion = async ({ name: asked }: Group, { groupVersion }: Version): Promise<readonly ApiResource[]> => {
    try {
      const list = await cluster.request('GET', `/apis/${groupVersion}`);
      return (list as { readonly resources: readonly ServedResource[] }).resources
        .filter((each) => isCalled(each, name))
        .map(({ kind, name: plural, namespaced }) => ({ apiVersion: groupVersion, kind, plural, namespaced }));
    } catch (thrown) {
      silent.set(asked, asError(thrown));
      return [];
    }
  };
  const inOthers = async (each: Group): Promise<readonly ApiResource[]> => {
    for (const version of each.versions) {
      if (version.groupVersion === each.preferredVersion.groupVersion) continue;
      const found = await inVersion(each, version);
      if (found.length > 0) return found;
    }
    return [];
  };

  const preferred = await Promise.all(wanted.map((each) => inVersion(each, each.preferredVersion)));
  // Most kinds are found by now, and each further version is a request.
  const found = preferred.some(({ length }) => length > 0) ? preferred : await Promise.all(wanted.map(inOthers));
  const [resource, another] = found.flat();
  if (!resource) throw notFound(said, silent);
  if (another) {
    const names = found.flat().map(({ plural, apiVersion }) => `${plural}.${apiVersion.split('/')[0]}`);
    throw new OperatorError(`${JSON.stringify(said)} may be ${names.join(', ')}`, {
      hint: 'write the name with its group',
    });
  }
  return resource;
}

function isCalled({ name, singularName = '', kind, shortNames = [] }: ServedResource, said: string): boolean {
  // A subresource stands beside its kind.
  return !name.includes('/') && [name, singularName, kind.toLowerCase(), ...shortNames].includes(said);
}

/** `silent` are the groups that did not answer, and why. */
function notFound(said: string, silent: ReadonlyMap<string, Error>): OperatorError {
  const [cause] = silent.values();
  if (!cause) {
    return new OperatorError(`the cluster has no kind of custom resource ${JSON.stringify(said)}`, {
      hint: '"kubectl api-resources" lists those that it has',
    });
  }
  const groups = [...silent.keys()].sort().join(', ');
  return new OperatorError(`no kind ${JSON.stringify(said)} was found, and not all was looked through: ${groups}`, {
    cause,
    hint: '"kubectl get apiservices" shows which groups are not available, and why',
  });
}
