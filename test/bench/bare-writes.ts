import { plan } from '../../src/drift/plan.js';
import type { KubeObject, Manifest } from '../../src/kube/manifest.js';
import { memcached } from '../../src/operators/memcached.js';
import { conditionsOf, statusToApply } from '../../src/runtime/status/status.js';
import type { Api } from './api.js';
import { kilterTrack, peerTrack, type Track } from './bench-plane.js';

/** What an operator writes for one Memcached, as texts in which its name, uid and version are to be set. */
export interface BareWrites {
  readonly track: Track;
  readonly manager: string;
  readonly children: readonly { readonly path: string; readonly body: string }[];
  /** Applied to the subresource. */
  readonly status: string;
}

interface Its {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

const toBeSet: Its = { name: 'name-to-be-set', uid: 'uid-to-be-set', resourceVersion: 'version-to-be-set' };

/**
 * The writes of kilter itself for a new custom resource in `namespace`, made by its own code. The hash that it keeps in a
 * child is of the child of this custom resource: where it is to be true, not only there, the name and uid must be.
 */
export function bareWrites(namespace: string, { name, uid, resourceVersion } = toBeSet): BareWrites {
  const cr = {
    apiVersion: memcached.resource.apiVersion,
    kind: memcached.resource.kind,
    metadata: { name, namespace, uid, generation: 1, resourceVersion },
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
  const server = manifests.find(({ kind }) => kind === 'Deployment') as KubeObject | undefined;
  const author = memcached.status({ server }, { pods: [] }, cr);
  const status = statusToApply(cr, [memcached.name], author, claims, '2024-01-01T00:00:00Z');
  return {
    track: kilterTrack,
    manager: memcached.name,
    children: manifests.map((manifest) => ({
      path: collectionOf(manifest, namespace),
      body: JSON.stringify(manifest),
    })),
    status: JSON.stringify(status),
  };
}

/** What a peer leaves behind, by the contract of `peers/README.md`. */
export function peerWrites(namespace: string): BareWrites {
  const { apiVersion } = peerTrack;
  const { name, uid } = toBeSet;
  const labels = { 'app.kubernetes.io/name': 'memcached', 'app.kubernetes.io/instance': name };
  const owner = { apiVersion, kind: 'Memcached', name, uid, controller: true, blockOwnerDeletion: true };
  const metadata = { name, labels, ownerReferences: [owner] };
  const containers = [
    { name: 'memcached', image: 'memcached:1.6-alpine', ports: [{ name: 'memcached', containerPort: 11211 }] },
  ];
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: { replicas: 3, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
  const ports = [{ name: 'memcached', port: 11211 }];
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { clusterIP: 'None', selector: labels, ports },
  };
  const status = { readyReplicas: 0, observedGeneration: 1 };
  return {
    track: peerTrack,
    manager: 'peer',
    children: [deployment, service].map((manifest) => ({
      path: collectionOf(manifest, namespace),
      body: JSON.stringify(manifest),
    })),
    status: JSON.stringify({ apiVersion, kind: 'Memcached', metadata: { name }, status }),
  };
}

/** Makes `writes` for one custom resource: one after the other, and in the form that costs the server least. */
export async function writeBarely(api: Api, writes: BareWrites, cr: Pick<KubeObject, 'metadata'>): Promise<void> {
  const query = `?fieldManager=${writes.manager}&fieldValidation=Ignore`;
  for (const { path, body } of writes.children) {
    await api.ask('POST', path + query, { body: filled(body, cr.metadata), allow: [409] });
  }
  await api.ask('PATCH', `${writes.track.path}/${cr.metadata.name}/status${query}&force=true`, {
    body: filled(writes.status, cr.metadata),
    contentType: 'application/apply-patch+yaml',
  });
}

/** `body` for this custom resource. */
export function filled(body: string, { name, uid, resourceVersion }: Its): string {
  return body
    .replaceAll(toBeSet.name, name)
    .replaceAll(toBeSet.uid, uid)
    .replaceAll(toBeSet.resourceVersion, resourceVersion);
}

function collectionOf({ apiVersion, kind }: Manifest, namespace: string): string {
  const { plural } = memcached.owns.find((owned) => owned.kind === kind)!;
  return `/${apiVersion.includes('/') ? 'apis' : 'api'}/${apiVersion}/namespaces/${namespace}/${plural}`;
}
