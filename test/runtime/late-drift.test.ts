import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap, EventsEvent, Service } from '../../imports/k8s.js';
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

it('what could not be asked at first is told once it could, by an event as well', async () => {
  const first = await cluster.run(note, { leaderElect: true });
  const standby = await cluster.run(reporting, { leaderElect: true });
  await cluster.apply(aNote);
  await cluster.settled();
  first.crash();
  await cluster.patch(ConfigMap, 'a-text', { data: { by: 'them' } });
  standby.faults.refuse({ verb: 'list', kind: ConfigMap }, { code: 503 });
  const shown: unknown[] = [];
  cluster.server.store.listen(({ object }) => {
    if (object.kind === Note.kind) shown.push([conditionIn(object)?.reason, conditionIn(object, 'Drifted')?.status]);
  });
  await cluster.advance(60);
  expect(standby.faults.pending).toEqual([]);
  expect(shown).toEqual([
    ['ApplyFailed', undefined],
    ['ReconciliationSucceeded', 'True'],
  ]);
  expect(await reasons()).toContain('DriftDetected');
});

it('who meets a child that it has not heard of tells of no drift by what it may not have heard of either', async () => {
  const twofold = (drift: object) =>
    operator(Note, {
      owns: [ConfigMap, Service],
      drift,
      compose(scope) {
        new ConfigMap(scope, 'text', { data: { by: 'us' } });
        new Service(scope, 'door', { spec: { ports: [{ port: 80 }] } });
      },
    });
  const leader = await cluster.run(twofold({}), { leaderElect: true });
  const rules = [{ kind: ConfigMap, mode: 'report' }];
  const standby = await cluster.run(twofold({ rules }), { leaderElect: true });
  const held = [ConfigMap, Service].map((kind) => standby.faults.holdWatch(kind));
  await cluster.apply(aNote);
  await cluster.settled();
  const told = await reasons();
  leader.crash();
  await cluster.advance(20);
  expect(standby.leads).toBe(true);
  for (const letGo of held) letGo();
  await cluster.settled();
  await cluster.advance(60);
  expect(await reasons()).toEqual(told);
  expect(standby.log.filter(({ message }) => message === 'Detected drift')).toEqual([]);
});
