import { beforeAll, expect, it } from '@jest/globals';
import { Service } from '../../imports/k8s.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import { DriftPolicy } from '../../src/drift/drift-policy.js';
import type { KubeObject, Manifest } from '../../src/kube/manifest.js';
import { execute } from '../../src/runtime/writes/execute.js';
import { onEveryCluster } from '../cluster/on-real-cluster.js';

onEveryCluster('the apply of a child', {}, (plane) => {
  let admin: HttpCluster;

  beforeAll(async () => {
    admin = connect(await kubeConfig({ path: plane().kubeconfig }));
  });

  it('D-05: succeeds where the item that is in the way was ours, and somebody reset the managed fields', async () => {
    const target = { namespace: 'default', name: 'moved' };
    const manifest = (port: number): Manifest => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...target, labels: { app: 'moved' } },
      spec: { selector: { app: 'moved' }, ports: [{ name: 'web', port }] },
    });
    await admin.create(Service, manifest(81), { fieldManager: 'us' });
    const observed = await admin.patch(
      Service,
      target,
      { type: 'merge', body: { metadata: { managedFields: [{}] } } },
      { fieldManager: 'somebody' },
    );
    expect(observed.metadata.managedFields ?? []).toEqual([]);

    const step = {
      type: 'apply',
      manifest: manifest(80),
      observed,
      adopted: false,
      fold: false,
      isAsNoted: false,
      claim: [],
      removable: () => [],
      drift: [],
      reported: [],
    } as const;
    const done = await execute(step, {
      cluster: admin,
      manager: 'us',
      resource: Service,
      policy: DriftPolicy.enforcing,
      signal: new AbortController().signal,
    });

    expect(done.error).toBeUndefined();
    const { spec, metadata } = (await admin.get(Service, target)) as KubeObject & {
      readonly spec: { readonly ports: readonly object[]; readonly selector: object };
    };
    expect(spec.ports).toEqual([{ name: 'web', port: 80, protocol: 'TCP', targetPort: 80 }]);
    expect(spec.selector).toEqual({ app: 'moved' });
    expect(metadata.labels).toEqual({ app: 'moved' });
  });
});
