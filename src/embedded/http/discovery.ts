import { createHash } from 'node:crypto';
import { compareKubeAwareVersions } from '../../kube/kube-aware-versions.js';
import type { VirtualKind } from '../auth/virtual-kind.js';
import { virtualKinds } from '../auth/virtual-kinds.js';
import type { Kinds } from '../kinds/kinds.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { apiVersionOf, isTyped } from './typed-kind.js';

/** A group as discovery shows it: its versions, preferred first, each with what is served. */
export interface Group {
  readonly name: string;
  readonly versions: readonly GroupVersion[];
}

export interface GroupVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly Resource[];
}

/** A resource or, with a slash in its name, a subresource. */
export interface Resource {
  /** `deployments`, `deployments/scale`. */
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly kind: string;
  /** Where its kind is of another group or version than the resource. */
  readonly of?: { readonly group: string; readonly version: string };
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly isTyped: boolean;
  readonly storageVersionHash?: string;
}

/** What is served now, by group, in the order in which the groups came. The core group has no name. */
export function groupsOf(kinds: Kinds): readonly Group[] {
  const groups = new Map<string, Map<string, Resource[]>>();
  const add = (group: string, version: string, resources: readonly Resource[]) => {
    const versions = groups.get(group) ?? new Map<string, Resource[]>();
    groups.set(group, versions);
    versions.set(version, [...(versions.get(version) ?? []), ...resources]);
  };
  const all = kinds.all;
  for (const kind of all) add(kind.group, kind.version, resourcesOf(kind, hasOneVersion(kind, all)));
  for (const [key, kind] of virtualKinds) {
    const [group = '', version = '', resource = '', below] = key.split('/');
    add(group, version, [below === undefined ? question(kind) : questionBelow(kind, `${resource}/${below}`)]);
  }
  return [...groups].map(([name, versions]) => ({
    name,
    versions: [...versions]
      .sort(([a], [b]) => compareKubeAwareVersions(b, a))
      .map(([version, resources]) => ({ group: name, version, resources: sorted(resources) })),
  }));
}

function sorted(resources: readonly Resource[]): Resource[] {
  return [...resources].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const own = { shortNames: [], categories: [] };

function resourcesOf(kind: ServedKind, isOnlyVersion: boolean): Resource[] {
  const { plural, namespaced, subresources, storage } = kind;
  const typed = isTyped(kind);
  const about = { namespaced, kind: kind.kind, isTyped: typed };
  const below = (name: string, verbs: readonly string[], other: Partial<Resource> = {}): Resource => ({
    ...about,
    ...own,
    name: `${plural}/${name}`,
    singularName: '',
    verbs,
    ...other,
  });
  const changed = ['get', 'patch', 'update'];
  return [
    {
      ...about,
      name: plural,
      singularName: kind.singular,
      verbs: typed ? [...kind.verbs].sort() : kind.verbs,
      shortNames: kind.shortNames,
      categories: kind.categories,
      ...(isOnlyVersion ? { storageVersionHash: hashOf(kind) } : {}),
    },
    ...(subresources.status ? [below('status', changed)] : []),
    ...(subresources.scale
      ? [below('scale', changed, { kind: 'Scale', of: { group: 'autoscaling', version: 'v1' } })]
      : []),
    ...(storage === 'namespaces' ? [below('finalize', ['update'])] : []),
    ...(storage === 'pods' ? [below('binding', ['create'], { kind: 'Binding' })] : []),
  ];
}

function question({ plural, singular, kind, namespaced }: VirtualKind): Resource {
  return { ...own, name: plural, singularName: singular, kind, namespaced, verbs: ['create'], isTyped: true };
}

function questionBelow(kind: VirtualKind, name: string): Resource {
  const { group, version } = kind;
  return { ...question(kind), name, singularName: '', of: { group, version } };
}

function hasOneVersion(kind: ServedKind, all: readonly ServedKind[]): boolean {
  return all.every((other) => other.storage !== kind.storage || other === kind);
}

/** By which clients tell whether what is kept has changed its form. */
function hashOf({ group, version, kind }: ServedKind): string {
  const path = [group, version, kind].filter((part) => part !== '').join('/');
  return createHash('sha256').update(path).digest().subarray(0, 8).toString('base64');
}

export function apiGroup({ name, versions }: Group): object {
  const shown = versions.map((each) => ({ groupVersion: apiVersionOf(each), version: each.version }));
  return { name, versions: shown, preferredVersion: shown[0] };
}

/** https://kubernetes.io/docs/concepts/overview/kubernetes-api/#unaggregated-discovery */
export function apiResourceList({ group, version, resources }: GroupVersion): object {
  return {
    kind: 'APIResourceList',
    // The core group's has none, for the sake of its oldest clients.
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: apiVersionOf({ group, version }),
    resources: resources.map(({ name, singularName, namespaced, kind, of, verbs, ...more }) => ({
      name,
      singularName,
      namespaced,
      ...of,
      kind,
      verbs,
      ...(more.shortNames.length > 0 ? { shortNames: more.shortNames } : {}),
      ...(more.categories.length > 0 ? { categories: more.categories } : {}),
      ...(more.storageVersionHash === undefined ? {} : { storageVersionHash: more.storageVersionHash }),
    })),
  };
}
