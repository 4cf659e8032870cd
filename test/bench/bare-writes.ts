import { plan } from '../../src/drift/plan.js';
import type { KubeObject, Manifest } from '../../src/kube/manifest.js';
import { memcached } from '../../src/operators/memcached.js';
import { conditionsOf, statusToApply } from '../../src/runtime/status.js';

/** What kilter writes for one Memcached, as texts in which a name and a uid are to be set. */
export interface BareWrites {
  readonly children: readonly { readonly path: string; readonly body: string }[];
  /** Applied to the subresource. */
  readonly status: string;
}

const name = 'name-to-be-set';
const uid = 'uid-to-be-set';

/** The writes of kilter itself for a new custom resource in `namespace`, made by its own code. */
export function bareWrites(namespace: string): BareWrites {
  const cr = {
    apiVersion: memcached.resource.apiVersion,
    kind: memcached.resource.kind,
    metadata: { name, namespace, uid, generation: 1, resourceVersion: '1' },
    spec: { size: 3, image: 'memcached:1.6-alpine' },
  } as unknown as KubeObject;
  const { children } = memcached.composition(cr, { pods: [] });
  const steps = plan({
    owner: cr.metadata,
    manager: memcached.name,
    desired: children,
    observe: () => undefined,
    controlled: [],
    remembered: new Map(),
  });
  const manifests = steps.flatMap((step) => (step.type === 'create' ? [step.manifest] : []));
  const claims = conditionsOf({ type: 'applied', children: manifests as unknown as KubeObject[], drifted: [] }, 1, []);
  const author = memcached.status({ server: undefined }, { pods: [] }, cr);
  const status = statusToApply(cr, memcached.name, author, claims, '2024-01-01T00:00:00Z', true);
  return {
    children: manifests.map((manifest) => ({
      path: collectionOf(manifest, namespace),
      body: JSON.stringify(manifest),
    })),
    status: JSON.stringify(status),
  };
}

/** `body` for a custom resource of this name and uid. */
export function filled(body: string, its: { readonly name: string; readonly uid: string }): string {
  return body.replaceAll(name, its.name).replaceAll(uid, its.uid);
}

function collectionOf({ apiVersion, kind }: Manifest, namespace: string): string {
  const { plural } = memcached.owns.find((owned) => owned.kind === kind)!;
  return `/${apiVersion.includes('/') ? 'apis' : 'api'}/${apiVersion}/namespaces/${namespace}/${plural}`;
}
