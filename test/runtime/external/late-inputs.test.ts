import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap } from '../../../imports/k8s.js';
import { customResource, one, operator, s } from '../../../src/index.js';
import { startCluster, type TestCluster, type TestController } from '../../../src/testing/index.js';

/** What a store that is late says of what is read neither removes nor makes anything outside the cluster. */
const Zone = customResource({ group: 'example.com', version: 'v1', kind: 'Zone', spec: s.object({}) });
const zone = { apiVersion: Zone.apiVersion, kind: Zone.kind, metadata: { name: 'home' }, spec: {} };

/** By its server, whether a zone is there. */
let servers: Map<string, boolean>;
/** Each server on which a zone was made, in order. */
let made: string[];
const zones = operator(Zone, {
  owns: [],
  reads: { where: one(ConfigMap, () => ({ name: 'where' })) },
  compose() {},
  external: {
    zone: {
      pollSeconds: 3600,
      observe: async (_, { reads }) => servers.get(reads.where?.data?.['server'] ?? ''),
      ensure: async (_, isThere, { reads }) => {
        const server = reads.where?.data?.['server'];
        if (server === undefined) throw new Error('there is no server yet');
        if (isThere !== true) made.push(server);
        servers.set(server, true);
        return true;
      },
      remove: async (_, { reads }) => {
        servers.delete(reads.where?.data?.['server'] ?? '');
      },
    },
  },
});

let cluster: TestCluster;
let leader: TestController;
let standby: TestController;
beforeEach(async () => {
  servers = new Map();
  made = [];
  cluster = await startCluster();
  leader = await cluster.run(zones, { leaderElect: true });
  standby = await cluster.run(zones, { leaderElect: true });
  await where('old');
});
afterEach(() => cluster.stop());

const where = (server: string) =>
  cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'where' }, data: { server } });
const thereIs = () => [...servers.keys()];

it('nothing is removed by inputs of before, and its custom resource let go, by who comes to lead', async () => {
  await cluster.apply(zone);
  await cluster.settled();
  const letGo = standby.faults.holdWatch(ConfigMap);
  // It moves: the old server knows nothing of it any more.
  await where('new');
  await cluster.settled();
  servers.delete('old');
  expect(thereIs()).toEqual(['new']);

  leader.crash();
  await cluster.delete(Zone, 'home');
  await cluster.advance(30);
  letGo();
  await cluster.settled();
  expect(standby.leads).toBe(true);
  expect(thereIs()).toEqual([]);
  expect(await cluster.find(Zone, 'home')).toBeUndefined();
});

it('nothing is removed by inputs of before by who has led all along, and whose watch says nothing any more', async () => {
  await cluster.apply(zone);
  await cluster.settled();
  await where('new');
  await cluster.settled();
  servers.delete('old');
  const letGo = leader.faults.holdWatch(ConfigMap);
  await where('newest');
  servers = new Map([['newest', true]]);
  await cluster.delete(Zone, 'home');
  await cluster.advance(30);
  letGo();
  await cluster.settled();
  expect(thereIs()).toEqual([]);
  expect(await cluster.find(Zone, 'home')).toBeUndefined();
});

it('nothing is made by inputs of before by who comes to lead, though it puts the finalizer just then', async () => {
  const letGo = standby.faults.holdWatch(ConfigMap);
  await where('new');
  await cluster.settled();
  leader.crash();
  await cluster.advance(30);
  expect(standby.leads).toBe(true);
  await cluster.apply(zone);
  await cluster.advance(30);
  letGo();
  await cluster.settled();
  expect(made).toEqual(['new']);
  expect(thereIs()).toEqual(['new']);
});
