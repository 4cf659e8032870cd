import { afterEach, describe, expect, it } from '@jest/globals';
import { Namespace } from '../../imports/k8s.js';
import { connect } from '../../src/client/http-cluster.js';
import { type LocalCluster, type LocalClusterOptions, startLocalCluster } from '../../src/embedded/local-cluster.js';
import type { ClusterState } from '../../src/embedded/state/cluster-state.js';
import { eventually } from '../cluster/eventually.js';
import { freePorts } from '../cluster/free-ports.js';

const running: LocalCluster[] = [];
afterEach(async () => {
  for (const cluster of running.splice(0)) await cluster.close();
});

async function start(options: LocalClusterOptions = {}): Promise<LocalCluster> {
  const cluster = await startLocalCluster(options);
  running.push(cluster);
  return cluster;
}

function stateOf({ server: { store }, identity }: LocalCluster): ClusterState {
  const objects = store.resources.flatMap((resource) => store.list(resource).map((each) => [resource, each] as const));
  return { revision: store.revision, objects, identity, isEnd: true };
}

/** Asks the cluster for its namespaces, with what another cluster knows it by. */
async function ask({ url }: LocalCluster, { identity }: LocalCluster, token = identity.adminToken) {
  const tls = { ca: identity.certificates.ca };
  const client = connect({
    server: url,
    namespace: 'default',
    tls: () => Promise.resolve(tls),
    authorization: () => Promise.resolve(`Bearer ${token}`),
  });
  try {
    return await client.list(Namespace, {});
  } finally {
    await client.close();
  }
}

describe('a local cluster', () => {
  it('that goes on where another ended is the same to its clients, address and all', async () => {
    const [port = 0] = await freePorts(1);
    const first = await startLocalCluster({ port });
    const token = await eventually(() => first.tokenOf('default', 'default'));
    await first.close();

    const second = await start({ state: stateOf(first) });

    expect(second.kubeconfig()).toBe(first.kubeconfig());
    expect((await ask(second, first)).items.length).toBeGreaterThan(0);
    await expect(ask(second, first, token)).rejects.toMatchObject({ name: 'ForbiddenError' });
  });

  it('is served elsewhere when its port was taken meanwhile, unless it was to be there', async () => {
    const first = await start();
    const second = await start({ state: stateOf(first) });
    expect(second.url).not.toBe(first.url);
    expect((await ask(second, first)).items.length).toBeGreaterThan(0);

    const port = Number(new URL(first.url).port);
    await expect(startLocalCluster({ port })).rejects.toMatchObject({
      message: `listening on port ${port} of 127.0.0.1 failed`,
      hint: 'another process has it: choose another port',
    });
  });

  it('is strange to the clients of another', async () => {
    const [first, second] = [await start(), await start()];
    await expect(ask(first, second)).rejects.toMatchObject({ name: 'TransportError' });
    await expect(ask(first, first, second.identity.adminToken)).rejects.toMatchObject({ name: 'UnauthorizedError' });
  });

  it('has no token for a ServiceAccount that is not there', async () => {
    const { tokenOf } = await start();
    expect(() => tokenOf('default', 'nobody')).toThrow('ServiceAccount/default/nobody is not there');
  });
});
