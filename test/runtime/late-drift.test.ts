import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap, EventsEvent } from '../../imports/k8s.js';
import { operator } from '../../src/index.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';
import { aNote, Note, note } from './a-note.js';

const reporting = operator(Note, {
  owns: [ConfigMap],
  drift: { mode: 'report' },
  compose: (scope) => void new ConfigMap(scope, 'text', { data: { by: 'us' } }),
});

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await startCluster();
});
afterEach(() => cluster.stop());

const reasons = async () => (await cluster.list(EventsEvent)).map(({ reason }) => reason);
const lead = async (before: () => Promise<unknown>, meanwhile: () => Promise<unknown>) => {
  const leader = await cluster.run(reporting, { leaderElect: true });
  const standby = await cluster.run(reporting, { leaderElect: true });
  await before();
  await cluster.settled();
  const letGo = standby.faults.holdWatch(ConfigMap);
  await meanwhile();
  await cluster.advance(60);
  expect(conditionIn(await cluster.get(Note, 'a'))).toMatchObject({ status: 'True' });
  const [told, heard] = [await reasons(), new Set<string>()];
  cluster.server.store.listen(({ object }) => {
    if (object.kind === Note.kind) heard.add(conditionIn(object)?.reason ?? 'nothing');
  });
  leader.crash();
  await cluster.advance(20);
  expect(standby.leads).toBe(true);
  letGo();
  await cluster.settled();
  await cluster.advance(60);
  expect([...heard]).toEqual([]);
  expect(await reasons()).toEqual(told);
  expect(standby.log.filter(({ message }) => message === 'Detected drift')).toEqual([]);
};

it('who comes to lead and has not heard that drift is over does not tell of it', async () => {
  const first = await cluster.run(note);
  await cluster.apply(aNote);
  await cluster.settled();
  await first.stop();
  await lead(
    () => cluster.patch(ConfigMap, 'a-text', { data: { by: 'them' } }),
    async () => {
      const again = await cluster.run(note);
      await cluster.settled();
      await again.stop();
    },
  );
});

it('who comes to lead and has not heard that a child is there does not tell that it is missing', async () => {
  await lead(
    () => cluster.apply(aNote),
    async () => {
      const first = await cluster.run(note);
      await cluster.settled();
      await first.stop();
    },
  );
});
