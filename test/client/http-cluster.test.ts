import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigMap, CustomResourceDefinition, Deployment, Secret } from '../../imports/k8s.js';
import { ForbiddenError } from '../../src/client/api-error.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import { customResource, s } from '../../src/index.js';
import { eventually } from '../cluster/eventually.js';
import { featuresOf } from '../cluster/features-of.js';
import { onEveryCluster } from '../cluster/on-real-cluster.js';
import { clusterContract } from './cluster-contract.js';

onEveryCluster('a cluster over HTTP', {}, (plane) => {
  let cluster: HttpCluster;
  beforeAll(async () => {
    cluster = connect(await kubeConfig({ path: plane().kubeconfig }));
  });
  afterAll(() => cluster?.close());

  clusterContract(
    () => cluster,
    () => featuresOf(plane().version),
  );

  it('asks any path, for discovery', async () => {
    expect(await cluster.request('GET', '/version')).toMatchObject({ gitVersion: plane().version });
  });

  it('tells a kind that is not served any more from an object that is not there', async () => {
    const Door = customResource({ group: 'doors.example.com', version: 'v1', kind: 'Door', spec: s.object({}) });
    const write = { fieldManager: 'test' } as const;
    const door = { apiVersion: Door.apiVersion, kind: Door.kind, metadata: { name: 'front', namespace: 'default' } };
    const definition = await cluster.create(CustomResourceDefinition, Door.crd(), write);
    const refusalOf = async (call: Promise<unknown>) => call.then(String, (error: Error) => error.name);
    await eventually(() => cluster.create(Door, { ...door, spec: {} }, write));
    expect(await refusalOf(cluster.get(Door, { ...door.metadata, name: 'back' }))).toBe('NotFoundError');

    const operations = [{ op: 'replace', path: '/spec/versions/0/served', value: false }] as const;
    await cluster.patch(CustomResourceDefinition, definition.metadata, { type: 'json', operations }, write);
    await eventually(async () => expect(await refusalOf(cluster.list(Door))).toBe('KindNotServedError'));
    expect(await refusalOf(cluster.delete(Door, door.metadata))).toBe('KindNotServedError');
    const status = { ...door, status: {} };
    const applied = cluster.apply(Door, status, { ...write, force: true, subresource: 'status' });
    expect(await refusalOf(applied)).toBe('KindNotServedError');
  });

  describe('for an account without rights', () => {
    let stranger: HttpCluster;
    beforeAll(async () => {
      const path = await plane().serviceAccountKubeconfig('default', 'stranger');
      stranger = connect(await kubeConfig({ path }));
    });
    afterAll(() => stranger?.close());

    it('names what is missing, and says what to do about it', async () => {
      const refused = stranger.list(Deployment, { namespace: 'default' });
      await expect(refused).rejects.toThrow(ForbiddenError);
      await expect(refused).rejects.toMatchObject({
        message: expect.stringMatching(
          /^deployments\.apps list failed: .* cannot list resource "deployments" in API group "apps" in the namespace "default"$/,
        ),
        hint: 'allow "list" on deployments.apps in the Role or ClusterRole of this account',
      });
    });

    it('keeps the values of a Secret out of its errors', async () => {
      const manifest = {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 's', namespace: 'default' },
        data: { key: 'Y2FuYXJ5' },
      };
      const error = await stranger.create(Secret, manifest, { fieldManager: 'test' }).catch((thrown: Error) => thrown);
      expect(JSON.stringify([(error as Error).message, error])).not.toContain('Y2FuYXJ5');
    });
  });

  it('cannot write while it is fenced, and can read', async () => {
    cluster.fence(new Error('the Lease was lost'));
    const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'fenced', namespace: 'default' } };
    await expect(cluster.create(ConfigMap, manifest, { fieldManager: 'test' })).rejects.toThrow('the Lease was lost');
    expect(
      (await cluster.list(ConfigMap, { namespace: 'default' })).items.map(({ metadata }) => metadata.name),
    ).not.toContain('fenced');
    cluster.unfence();
    await cluster.create(ConfigMap, manifest, { fieldManager: 'test' });
  });
});
