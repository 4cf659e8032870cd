import type { Group, GroupVersion, Resource } from './discovery.js';

/** Everything that is served, in one answer: https://kubernetes.io/docs/concepts/overview/kubernetes-api/#aggregated-discovery */
export function aggregatedDiscovery(groups: readonly Group[]): object {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: name === '' ? {} : { name },
      versions: versions.map((version) => ({
        version: version.version,
        resources: resourcesOf(version),
        freshness: 'Current',
      })),
    })),
  };
}

function resourcesOf(version: GroupVersion): object[] {
  const { resources } = version;
  const isSub = ({ name }: Resource) => name.includes('/');
  return resources
    .filter((each) => !isSub(each))
    .map((resource) => {
      const { name, singularName, namespaced, verbs, shortNames, categories } = resource;
      const below = resources.filter((each) => isSub(each) && each.name.startsWith(`${name}/`));
      return {
        resource: name,
        responseKind: kindOf(resource, version),
        scope: namespaced ? 'Namespaced' : 'Cluster',
        singularResource: singularName,
        verbs,
        ...(shortNames.length > 0 ? { shortNames } : {}),
        ...(categories.length > 0 ? { categories } : {}),
        ...(below.length > 0 ? { subresources: below.map((each) => subresourceOf(each, version)) } : {}),
      };
    });
}

function subresourceOf(resource: Resource, version: GroupVersion): object {
  const subresource = resource.name.slice(resource.name.indexOf('/') + 1);
  return { subresource, responseKind: kindOf(resource, version), verbs: resource.verbs };
}

/** A kind of the server's own is named in full only where it is of another version than what has it. */
function kindOf({ kind, of, isTyped }: Resource, { group, version }: GroupVersion): object {
  if (of) return { ...of, kind };
  return isTyped ? { group: '', version: '', kind } : { group, version, kind };
}
