import { afterEach, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';
import { aNote, Note, note } from './a-note.js';
import { sayingAfterTakeover } from './saying-after-takeover.js';

let cluster: TestCluster;
afterEach(() => cluster.stop());

const ready = async () => conditionIn(await cluster.get(Note, 'a'));

it('D-34: an object that took a child’s name unseen is left alone, and the child is made when it goes', async () => {
  cluster = await startCluster();
  const controller = await cluster.run(note);
  const letGo = controller.faults.holdWatch(ConfigMap);
  const theirs = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a-text' }, data: { by: 'them' } };
  const { metadata } = await cluster.apply(theirs);
  await cluster.apply(aNote);
  await cluster.advance(10);
  // Its name is taken, and nobody here knows yet by whom.
  expect(await ready()).toBeUndefined();
  letGo();
  await cluster.settled();
  expect(await cluster.get(ConfigMap, 'a-text')).toMatchObject({ metadata, data: { by: 'them' } });
  expect(await ready()).toMatchObject({ status: 'False', reason: 'ApplyConflict' });
  await cluster.delete(ConfigMap, 'a-text');
  await cluster.settled();
  expect(await cluster.get(ConfigMap, 'a-text')).toMatchObject({ data: { by: 'us' } });
  expect(await ready()).toMatchObject({ status: 'True' });
});

it('who comes to lead and has not heard that a child’s name is free and taken by the child does not tell that it is another’s', async () => {
  cluster = await startCluster();
  const leader = await cluster.run(note, { leaderElect: true });
  const standby = await cluster.run(note, { leaderElect: true });
  await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a-text' }, data: { by: 'them' } });
  await cluster.apply(aNote);
  await cluster.settled();
  expect(await ready()).toMatchObject({ status: 'False', reason: 'ApplyConflict' });
  const letGo = standby.faults.holdWatch(ConfigMap);
  await cluster.delete(ConfigMap, 'a-text');
  await cluster.settled();
  expect(await ready()).toMatchObject({ status: 'True' });

  expect(await sayingAfterTakeover(cluster, { leader, standby, letGo }, Note.kind)).toEqual([]);
  expect(await ready()).toMatchObject({ status: 'True' });
});
