import type { HttpCluster } from '../client/http-cluster.js';
import type { ApiResource } from '../kube/api-resource.js';
import { OperatorError } from '../kube/errors.js';

interface Group {
  readonly name: string;
  readonly preferredVersion: { readonly groupVersion: string };
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
 * kubectl takes it.
 *
 * Throws `OperatorError` when the cluster has none of that name, or more than one.
 */
export async function resourceNamed(cluster: HttpCluster, said: string): Promise<ApiResource> {
  const [name = '', ...rest] = said.toLowerCase().split('.');
  const group = rest.join('.');
  const { groups } = (await cluster.request('GET', '/apis')) as { readonly groups: readonly Group[] };
  const wanted = group === '' ? groups : groups.filter((each) => each.name === group);
  const found = (
    await Promise.all(
      wanted.map(async ({ preferredVersion: { groupVersion } }) => {
        const list = await cluster.request('GET', `/apis/${groupVersion}`);
        return (list as { readonly resources: readonly ServedResource[] }).resources
          .filter((each) => isCalled(each, name))
          .map(({ kind, name: plural, namespaced }) => ({ apiVersion: groupVersion, kind, plural, namespaced }));
      }),
    )
  ).flat();
  const [resource, another] = found;
  if (!resource) {
    throw new OperatorError(`the cluster has no kind ${JSON.stringify(said)}`, {
      hint: '"kubectl api-resources" lists those that it has',
    });
  }
  if (another) {
    const names = found.map(({ plural, apiVersion }) => `${plural}.${apiVersion.split('/')[0]}`).join(', ');
    throw new OperatorError(`${JSON.stringify(said)} may be ${names}`, { hint: 'write the name with its group' });
  }
  return resource;
}

function isCalled({ name, singularName = '', kind, shortNames = [] }: ServedResource, said: string): boolean {
  // A subresource stands beside its kind.
  return !name.includes('/') && [name, singularName, kind.toLowerCase(), ...shortNames].includes(said);
}
