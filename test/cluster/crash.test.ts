import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Deployment } from '../../imports/k8s.js';
import { CrashStage, type Death } from './crash-stage.js';
import { configMapSyncs, createMemcached, memcacheds } from './crash-workloads.js';
import { eventually } from './eventually.js';
import { onEveryCluster } from './on-real-cluster.js';

const write = { fieldManager: 'a-person' };
/** How often a run may take fewer writes than the undisturbed one: two states are told in one where both are seen at once. */
const tries = 5;

/** What of `history` is not in `most`, or not as often. */
function beyond(most: readonly string[], history: readonly string[]): readonly string[] {
  const left = [...most];
  return history.filter((entry) => {
    const index = left.indexOf(entry);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}

onEveryCluster('a controller that is killed', { controllerManager: true, audit: true }, (plane, isReal) => {
  describe.each([memcacheds, configMapSyncs])('of the $operator', (subject) => {
    let stage: CrashStage;
    beforeAll(async () => {
      stage = await CrashStage.open(plane(), subject);
    });
    afterAll(() => stage?.close(), 60_000);

    /** On the embedded server, where it proves less, of many that are alike not at each. */
    const workloads = subject.workloads.map((workload) => {
      const every = workload.isMany && !isReal ? 7 : 1;
      return { ...workload, every, writes: every === 1 ? 'each write' : `one write in ${every}` };
    });

    it.each(workloads)(
      'K-01, K-03: at $writes while $title ends as if nothing had happened',
      async ({ every, ...workload }) => {
        const { writes, state, history } = await stage.play(workload);
        expect(writes).not.toEqual([]);
        expect(history).not.toEqual([]);
        const killedAt = async (death: Death) => {
          const run = await stage.play(workload, death);
          const extra = beyond(workload.most ?? history, run.history);
          expect({ ...death, state: run.state, extra }).toEqual({ ...death, state, extra: [] });
          if (run.killedAt !== undefined) return [run.killedAt];
          undisturbed.push(run.writes);
          return [];
        };
        // Two undisturbed runs may differ by a write; one that nobody was killed in counts as another.
        const undisturbed: (readonly string[])[] = [writes];
        for (const when of ['before sent', 'after committed'] as const) {
          const killed: string[] = [];
          for (let skip = 0, misses = 0; misses === 0 || (skip < writes.length && misses < tries); ) {
            const found = await killedAt({ when, skip });
            killed.push(...found);
            misses = found.length > 0 ? 0 : misses + 1;
            if (misses === 0) skip += every;
          }
          expect(killed.length).toBeGreaterThanOrEqual(Math.min(...undisturbed.map(({ length }) => length)) / every);
          // Where the order differs from run to run a kind of write may have been missed.
          const kinds = [...new Set(writes)];
          for (const of of kinds) {
            for (let misses = 0; !killed.includes(of) && misses < tries; misses++) {
              killed.push(...(await killedAt({ when, skip: 0, of })));
            }
          }
          const certain = kinds.filter((kind) => undisturbed.every((run) => run.includes(kind)));
          expect(killed).toEqual(expect.arrayContaining(certain));
        }
      },
      25 * 60_000,
    );

    if (subject === memcacheds) {
      it(
        'K-05: again and again gets on with it, and writes once for each change of a child',
        async () => {
          const name = stage.nextName();
          const child = { namespace: 'default', name: `${name}-server` };
          const deaths = 20;
          await createMemcached(stage.admin, name);
          await eventually(() => stage.rest(name, 3));
          for (let death = 0; death < deaths; death++) {
            await stage.kill();
            await stage.admin.patch(Deployment, child, { type: 'merge', body: { spec: { replicas: 7 } } }, write);
            stage.start();
            await eventually(async () => {
              expect(await stage.admin.get(Deployment, child)).toMatchObject({ spec: { replicas: 0 } });
            });
          }
          await eventually(() => stage.rest(name, 3));
          const written = (await stage.writes()).filter(
            ({ objectRef }) => objectRef?.resource === 'deployments' && objectRef.name === child.name,
          );
          expect(written.map(({ verb }) => verb)).toEqual(['create', ...Array(deaths).fill('patch')]);
        },
        5 * 60_000,
      );
    }

    it('K-03: has created and deleted nothing more for what is still there by the end of all runs', async () => {
      expect(await stage.histories()).toEqual(
        Object.fromEntries(stage.played.map(({ name, history }) => [name, history])),
      );
    });
  });
});
