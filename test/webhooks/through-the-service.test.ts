import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Deployment, Node } from '../../imports/k8s.js';
import { AlreadyExistsError } from '../../src/client/api-error.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import type { ApiResource } from '../../src/kube/api-resource.js';
import type { Json, KubeObject } from '../../src/kube/manifest.js';
import { eventually } from '../cluster/eventually.js';
import { freePorts } from '../cluster/free-ports.js';
import { runPodsHere } from '../cluster/kubelet-stand-in.js';
import { onRealCluster } from '../cluster/on-real-cluster.js';
import { Vault } from '../resource/a-guarded-kind.js';
import { cacheIn, home, InstalledWebhooks } from './installed-webhooks.js';

const write = { fieldManager: 'a-person' };

onRealCluster('webhooks', { controllerManager: true, routesToEndpoints: true }, (plane) => {
  let admin: HttpCluster;
  let installed: InstalledWebhooks;

  beforeAll(async () => {
    installed = await InstalledWebhooks.on(plane());
    admin = connect(await kubeConfig({ path: plane().kubeconfig }));
  });
  afterAll(async () => {
    await installed?.remove();
    await admin?.close();
  });

  const create = (kind: ApiResource, name: string, spec: Json) => {
    const { apiVersion, kind: called } = kind;
    return admin.create(kind, { apiVersion, kind: called, metadata: { namespace: 'default', name }, spec }, write);
  };
  const specOf = async (kind: ApiResource, name: string) =>
    (await admin.get(kind, { namespace: 'default', name }))['spec'];

  it('are reached by the Service that is rendered, and verified by its name', async () => {
    const [port = 0] = await freePorts(1);
    await listenAt(port);
    await admin.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'here' } }, write);
    const controller = installed.start('one', [`--webhook-port=${port}`]);
    await controller.shows('Stores are filled');

    // The endpoints follow the Pods, and the API server the endpoints.
    await eventually(async () => {
      await runPodsHere(admin, home, 'here', addressOfThisMachine());
      await create(cacheIn('v1beta1'), 'old', { replicas: 3 }).catch((error: unknown) => {
        // What was stored before is there, though it could not be converted back to be shown.
        if (!(error instanceof AlreadyExistsError)) throw error;
      });
      expect(await specOf(cacheIn('v1'), 'old')).toEqual({ size: 3, image: 'memcached:1.6-alpine' });
    }, 60);

    await create(Vault, 'mine', { size: 20 });
    expect(await specOf(Vault, 'mine')).toEqual({ size: 20, tier: 'large' });
    await expect(create(Vault, 'wrong', { size: 20, tier: 'small' })).rejects.toThrow(
      'spec.tier: small is for at most ten',
    );
  });

  /** The port of a container that the Service leads to is one that is free on this machine, which is that of every Pod. */
  async function listenAt(port: number): Promise<void> {
    const target = { namespace: home, name: 'cache' };
    const { spec } = (await admin.get(Deployment, target)) as KubeObject & {
      readonly spec: { template: { spec: { containers: [{ ports: readonly { readonly name: string }[] }] } } };
    };
    const index = spec.template.spec.containers[0].ports.findIndex(({ name }) => name === 'webhook');
    const path = `/spec/template/spec/containers/0/ports/${index}/containerPort`;
    await admin.patch(Deployment, target, { type: 'json', operations: [{ op: 'replace', path, value: port }] }, write);
  }
});

/** One that an endpoint may have, so none of loopback. */
function addressOfThisMachine(): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  const address = all.find(({ internal, family }) => !internal && family === 'IPv4')?.address;
  if (address === undefined) throw new Error('this machine has no IPv4 address but those of loopback');
  return address;
}
