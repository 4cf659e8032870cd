import { ApiError, ForbiddenError } from '../../client/api-error.js';
import type { ApplyOptions, Cluster } from '../../client/cluster.js';
import { entriesOf } from '../../drift/ownership.js';
import { retold } from '../../drift/retold.js';
import { type ApiResource, groupResourceOf } from '../../kube/api-resource.js';
import { withName } from '../../kube/field-selector.js';
import type { KubeObject, Manifest } from '../../kube/manifest.js';
import { placeOf, refOf, show } from '../../kube/object-ref.js';
import { saying } from './at-version.js';

/**
 * `cluster`, whose applies outlive the versions in which somebody once wrote an object: where its `managedFields` tell of one that
 * its definition does not have any more, the API server refuses every apply to it, whoever sends it.
 */
export function outlivingVersions(cluster: Cluster): Cluster {
  const apply: Cluster['apply'] = async (resource, manifest, options) => {
    try {
      return await cluster.apply(resource, manifest, options);
    } catch (error) {
      const gone = goneVersionIn(error);
      const current = gone === undefined ? undefined : await withoutVersion(gone, resource, manifest, options);
      if (current === undefined) throw error;
      // There may have been another.
      return apply(resource, current, options);
    }
  };

  /** `manifest` for its object as that is when it tells nothing of `gone` any more; undefined where it did not before. */
  const withoutVersion = async (
    gone: string,
    resource: ApiResource,
    manifest: Manifest,
    { fieldManager, subresource, signal }: ApplyOptions,
  ): Promise<Manifest | undefined> => {
    const place = placeOf(manifest.metadata);
    const stop = signal ? { signal } : {};
    // Of its children an operator may list all, and get none.
    const { namespace, name } = place;
    const scope = { fieldSelector: withName(name), ...(namespace === undefined ? {} : { namespace }) };
    const [object] = (await cluster.list(resource, { ...scope, ...stop })).items;
    const isGone = (apiVersion: string) => apiVersion === gone;
    const managedFields = object && retold(entriesOf(object), resource.apiVersion, isGone);
    if (!managedFields) return undefined;
    const write = { fieldManager, ...stop };
    const patch = { type: 'json', operations: saying(object, managedFields) } as const;
    const { metadata } = await cluster.patch(resource, place, patch, write).catch(async (error: unknown) => {
      if (!(error instanceof ForbiddenError) || subresource === undefined) throw error;
      // Through a subresource the server takes nobody's word for them. It takes them away, for it cannot read its own; from
      // Kubernetes 1.37 on it leaves them as they are.
      const written = await cluster.patch(resource, place, patch, { ...write, subresource });
      if (retold(entriesOf(written), resource.apiVersion, isGone)) throw stillTold(object, resource, gone, error);
      return written;
    });
    const { resourceVersion } = manifest.metadata;
    if (resourceVersion !== object.metadata.resourceVersion) return manifest;
    return { ...manifest, metadata: { ...manifest.metadata, resourceVersion: metadata.resourceVersion } };
  };

  return {
    get: (resource, target, options) => cluster.get(resource, target, options),
    list: (resource, options) => cluster.list(resource, options),
    watch: (resource, options) => cluster.watch(resource, options),
    create: (resource, manifest, options) => cluster.create(resource, manifest, options),
    update: (resource, object, options) => cluster.update(resource, object, options),
    apply,
    patch: (resource, target, patch, options) => cluster.patch(resource, target, patch, options),
    delete: (resource, target, options) => cluster.delete(resource, target, options),
  };
}

/** Nothing of `object` can be applied before somebody may do what `error` refused, or a person does it. */
function stillTold(object: KubeObject, resource: ApiResource, gone: string, error: ForbiddenError): ForbiddenError {
  const told = `${show(refOf(object))} is told of in ${gone}, which is gone, and takes no apply before that is changed`;
  const command = `run "kilter migrate ${groupResourceOf(resource)}"`;
  return new ForbiddenError(`${told}: ${error.message}`, {
    ...(error.status ? { status: error.status } : {}),
    hint: error.hint === undefined ? command : `${command}, or ${error.hint}`,
  });
}

/** The API server has no reason and no class for it, and answers 500. */
function goneVersionIn(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  return /request to convert CR (?:to|from) an invalid group\/version: (\S+)/.exec(error.status?.message ?? '')?.[1];
}
