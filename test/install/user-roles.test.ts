import { expect, it } from '@jest/globals';
import { App } from 'cdk8s';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { OperatorInstall } from '../../src/install/index.js';
import type { Manifest } from '../../src/kube/manifest.js';
import type { Reach } from '../../src/kube/reach.js';
import { startCluster } from '../../src/testing/index.js';

it.each<[string, { readonly reach?: Reach; readonly namespaced?: boolean }, boolean]>([
  ['has its children beside it', {}, true],
  ['reaches where it is let', { reach: 'consent' }, true],
  ['reaches everywhere', { reach: 'cluster' }, false],
  ['is in no namespace', { namespaced: false }, false],
])(
  'who edits in a namespace writes a custom resource that %s: %j, %s',
  async (_, { reach, namespaced = true }, isLet) => {
    const Copy = customResource({
      group: 'copies.example.com',
      version: 'v1',
      kind: 'Copy',
      namespaced,
      spec: s.object({ to: s.string() }),
    });
    const copy = operator(Copy, { owns: [ConfigMap], compose() {}, ...(reach ? { reach } : {}) });
    const install = new OperatorInstall(new App(), 'copy', { operators: [copy], image: 'copy:1' });
    const cluster = await startCluster();
    try {
      await cluster.install(Copy.crd());
      const roles = (install.toJson() as Manifest[]).filter(({ kind }) => kind === 'ClusterRole');
      for (const role of roles) await cluster.apply(role);
      for (const [name, role] of [
        ['jane', 'edit'],
        ['joe', 'copy-copy-editor'],
      ] as const) {
        await cluster.apply({
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'ClusterRoleBinding',
          metadata: { name },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
          subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }],
        });
      }
      await cluster.settled();

      const write = (name: string) => {
        const caller = cluster.server.cluster({ name, groups: ['system:authenticated'] });
        const metadata = { name, ...(namespaced ? { namespace: 'default' } : {}) };
        const manifest = { apiVersion: Copy.apiVersion, kind: Copy.kind, metadata, spec: { to: 'kube-system' } };
        return caller.create(Copy, manifest, { fieldManager: 'kubectl' });
      };
      await expect(write('joe')).resolves.toBeDefined();
      if (isLet) await expect(write('jane')).resolves.toBeDefined();
      else await expect(write('jane')).rejects.toThrow('User "jane" cannot create resource "copies"');
    } finally {
      await cluster.stop();
    }
  },
);
