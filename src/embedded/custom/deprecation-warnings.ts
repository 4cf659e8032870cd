import { compareKubeAwareVersions } from '../../kube/kube-aware-versions.js';
import type { DefinitionSpec, DefinitionVersion } from './custom-definition.js';

/** What the server says to every request for a deprecated version. */
export function deprecationWarnings(
  { group, names, versions }: DefinitionSpec,
  version: DefinitionVersion,
): readonly string[] {
  if (!version.deprecated) return [];
  if (version.deprecationWarning !== undefined) return [version.deprecationWarning];
  const [best] = versions
    .filter(({ served, deprecated, name }) => served && !deprecated && compareKubeAwareVersions(name, version.name) > 0)
    .sort((a, b) => compareKubeAwareVersions(b.name, a.name));
  const deprecated = `${group}/${version.name} ${names.kind} is deprecated`;
  return [best ? `${deprecated}; use ${group}/${best.name} ${names.kind}` : deprecated];
}
