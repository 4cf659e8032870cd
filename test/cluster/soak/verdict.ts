import { Deployment, Service } from '../../../imports/k8s.js';
import type { HttpCluster } from '../../../src/client/http-cluster.js';
import type { KubeObject } from '../../../src/kube/manifest.js';
import { Memcached } from '../../../src/operators/memcached.js';

interface Custom extends KubeObject {
  readonly spec: { readonly image: string };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message: string }[];
  };
}

interface Child extends KubeObject {
  readonly spec: {
    readonly replicas?: number;
    readonly selector?: object;
    readonly template?: { readonly spec: { readonly containers: readonly { readonly image: string }[] } };
  };
}

/** How the cluster at rest is not as its custom resources desire it, and say that it is. */
export async function wrongsIn(cluster: HttpCluster): Promise<readonly string[]> {
  const [customs, deployments, services] = await Promise.all(
    [Memcached, Deployment, Service].map(async (kind) => (await cluster.list(kind, { namespace: 'default' })).items),
  );
  const children = [...deployments!, ...services!] as Child[];
  const uids = new Set(customs!.map(({ metadata }) => metadata.uid));
  const stray = children.filter(({ metadata }) => {
    const [owner] = metadata.ownerReferences ?? [];
    return metadata.name !== 'kubernetes' && (owner === undefined || !uids.has(owner.uid));
  });
  return [
    ...stray.map(({ kind, metadata }) => `${kind}/${metadata.name} is left behind`),
    ...(customs as Custom[]).flatMap((custom) => wrongsOf(custom, children)),
  ];
}

function wrongsOf({ metadata, spec, status }: Custom, children: readonly Child[]): readonly string[] {
  const childOf = (kind: string, suffix: string) =>
    children.find(
      (child) =>
        child.kind === kind &&
        child.metadata.name === `${metadata.name}-${suffix}` &&
        child.metadata.ownerReferences?.[0]?.uid === metadata.uid,
    )?.spec;
  const [server, service] = [childOf('Deployment', 'server'), childOf('Service', 'service')];
  const is = {
    image: server?.template?.spec.containers[0]?.image,
    replicas: server?.replicas,
    selectors: Object.keys(service?.selector ?? {}).length,
    generation: status?.observedGeneration,
    conditions: status?.conditions?.map((each) => `${each.type}=${each.status}`),
  };
  const isToBe = {
    image: spec.image,
    replicas: 0,
    selectors: 1,
    generation: metadata.generation,
    conditions: ['Ready=True'],
  };
  const [found, desired] = [JSON.stringify(is), JSON.stringify(isToBe)];
  return found === desired ? [] : [`Memcached/${metadata.name} is ${found}, and is to be ${desired}`];
}
