/**
 * A kind that an API server serves, with what is needed to address it: the static side of every typed construct.
 *
 * The name is that of Kubernetes' discovery: https://kubernetes.io/docs/reference/using-api/api-concepts/
 */
export interface ApiResource {
  /** `v1` for the core group, `apps/v1` for others. */
  readonly apiVersion: string;
  readonly kind: string;
  /** The name in URLs and RBAC rules: `deployments`. */
  readonly plural: string;
  readonly namespaced: boolean;
  /** Its objects come to have a condition `Ready`, which is written by their controller. Absent: that is not known. */
  readonly saysReady?: boolean;
}

/** How a kind is named in an object. */
export type KindName = Pick<ApiResource, 'apiVersion' | 'kind'>;

/** The group of an `apiVersion`; the core group is the empty string, as in RBAC rules. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

/** The version of an `apiVersion`, without its group. */
export function versionOf(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf('/') + 1);
}

/**
 * A map key for a kind.
 *
 * The version is left out on purpose: `apps/v1` and `apps/v1beta1` are two views of one stored kind.
 */
export function groupKindOf({ apiVersion, kind }: KindName): string {
  const group = groupOf(apiVersion);
  return group === '' ? kind : `${kind}.${group}`;
}

/** A map key for a kind in one of its versions. */
export function groupVersionKindOf({ apiVersion, kind }: KindName): string {
  return `${apiVersion} ${kind}`;
}

/** True for two views of one kind, of whatever version: what `groupKindOf` says of both, and no text is made for it. */
export function isSameKind(a: KindName, b: KindName): boolean {
  return a.kind === b.kind && groupOf(a.apiVersion) === groupOf(b.apiVersion);
}

/** The kind of `ref` among those that an operator owns, at the version that it owns it. */
export function kindAmong<T extends ApiResource>(owns: readonly T[], ref: KindName): T | undefined {
  return owns.find((owned) => isSameKind(owned, ref));
}

/** `deployments.apps in v1`: what an API server may not serve, though it has the kind in another version. */
export function showInVersion(resource: ApiResource): string {
  return `${groupResourceOf(resource)} in ${versionOf(resource.apiVersion)}`;
}

/** `deployments.apps`, the name that `kubectl` and RBAC messages use. */
export function groupResourceOf({ apiVersion, plural }: ApiResource): string {
  const group = groupOf(apiVersion);
  return group === '' ? plural : `${plural}.${group}`;
}
