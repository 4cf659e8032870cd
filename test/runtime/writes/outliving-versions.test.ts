import { expect, it } from '@jest/globals';
import { ForbiddenError, TransportError } from '../../../src/client/api-error.js';
import type { Cluster, Patch } from '../../../src/client/cluster.js';
import type { KubeObject, Manifest } from '../../../src/kube/manifest.js';
import { outlivingVersions } from '../../../src/runtime/writes/outliving-versions.js';

const lantern = { apiVersion: 'lanterns.example.com/v1', kind: 'Lantern', plural: 'lanterns', namespaced: true };
const { apiVersion, kind } = lantern;
const metadata = { name: 'old', namespace: 'default' };
const status = { lit: true };

/** An API server whose lantern somebody wrote in a version that is gone. The account may write the status alone. */
class Server implements Pick<Cluster, 'apply' | 'list' | 'patch'> {
  asked = 0;
  lantern: KubeObject & { status?: unknown } = {
    apiVersion,
    kind,
    metadata: {
      ...metadata,
      uid: 'a',
      resourceVersion: '1',
      managedFields: [{ manager: 'a-person', operation: 'Apply', apiVersion: 'lanterns.example.com/v1alpha1' }],
    },
  };

  /** `keepsEntries` as from Kubernetes 1.37 on, where a write leaves entries as they are that the server cannot read. */
  constructor(private readonly keepsEntries: boolean) {}

  async apply(_: unknown, applied: Manifest): Promise<KubeObject> {
    if (++this.asked > 20) throw new Error('it is asked for ever');
    const [entry] = this.lantern.metadata.managedFields ?? [];
    if (entry !== undefined && entry.apiVersion !== apiVersion) {
      const message = `request to convert CR to an invalid group/version: ${entry.apiVersion}`;
      throw new TransportError(message, { status: { code: 500, message } });
    }
    this.lantern = { ...this.lantern, status: applied['status'] };
    return this.lantern;
  }

  async list(): Promise<{ items: KubeObject[]; resourceVersion: string }> {
    return { items: [this.lantern], resourceVersion: '1' };
  }

  async patch(_: unknown, __: unknown, ___: Patch, { subresource }: { subresource?: string }): Promise<KubeObject> {
    if (subresource === undefined) {
      throw new ForbiddenError('lanterns "old" is forbidden', {
        hint: 'allow "patch" on lanterns.lanterns.example.com',
      });
    }
    if (!this.keepsEntries)
      this.lantern = { ...this.lantern, metadata: { ...this.lantern.metadata, managedFields: [] } };
    return this.lantern;
  }
}

const say = (server: Server) => {
  const cluster = outlivingVersions(server as unknown as Cluster);
  return cluster.apply(lantern, { apiVersion, kind, metadata, status } as Manifest, {
    fieldManager: 'lantern',
    subresource: 'status',
    force: true,
  });
};

it('D-26: a status is said of what was written in a version that is gone, by who may write it alone', async () => {
  const server = new Server(false);
  await say(server);
  expect(server.lantern.status).toEqual(status);
});

it('D-26: what to do is told where that takes a right, and the server is asked no more', async () => {
  const server = new Server(true);
  await expect(say(server)).rejects.toMatchObject({
    name: 'ForbiddenError',
    message:
      'Lantern/default/old is told of in lanterns.example.com/v1alpha1, which is gone, and takes no apply before that is changed: lanterns "old" is forbidden',
    hint: 'run "kilter migrate lanterns.lanterns.example.com", or allow "patch" on lanterns.lanterns.example.com',
  });
  expect(server.lantern.status).toBeUndefined();
});
