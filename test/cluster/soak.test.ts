import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import { Dice } from '../simulation/dice.js';
import { eventually } from './eventually.js';
import { FaultProxy } from './fault-proxy.js';
import { InstalledController } from './installed-controller.js';
import { onRealCluster } from './on-real-cluster.js';
import { work } from './proxy-rules.js';
import { Crew } from './soak/crew.js';
import { mishapsOf } from './soak/mishaps.js';
import { deedsOf } from './soak/users.js';
import { wrongsIn } from './soak/verdict.js';

const seconds = Number(process.env['SOAK_SECONDS'] ?? 30);
const seed = Number(process.env['SOAK_SEED'] ?? Date.now() % 1e6);
/** Whoever was left alone for so long is at rest. */
const quietMilliseconds = 4000;
/** How long that may take: Leases that expire, watches that are dead, back-off. */
const recoverySeconds = 600;

/**
 * What the simulation does in virtual time, on the real API server and over real sockets, with two processes. No run is like
 * another, not even of one seed. `SOAK_SECONDS=600 npm test -- test/cluster/soak` goes on for longer.
 */
onRealCluster('while all goes wrong', { controllerManager: true }, (plane) => {
  let installed: InstalledController;
  let proxy: FaultProxy;
  let admin: HttpCluster;
  beforeAll(async () => {
    installed = await InstalledController.on(plane());
    proxy = await FaultProxy.start(plane());
    admin = connect(await kubeConfig({ path: plane().kubeconfig }));
  }, 120_000);
  afterAll(async () => {
    await installed?.remove();
    await proxy?.close();
    await admin?.close();
  }, 60_000);

  const crews: Crew[] = [];
  afterEach(async () => {
    for (const crew of crews.splice(0)) await crew.end();
  }, 60_000);

  it(
    `${seconds} s of edits, drift and faults by the seed ${seed} end as if none had been`,
    async () => {
      const dice = new Dice(seed);
      const crewOf = (...names: readonly string[]): Crew => {
        const crew = new Crew(installed, proxy, dice, names);
        crews.push(crew);
        return crew;
      };
      const recovered = (crew: Crew, assertion: () => Promise<void>) =>
        eventually(assertion, recoverySeconds).catch((error: unknown) => {
          throw new Error(`${(error as Error).message}\n${crew.tail}`, { cause: error });
        });
      const atRest = (crew: Crew) =>
        recovered(crew, async () => {
          await crew.expectIdle();
          expect(proxy.quietFor(work)).toBeGreaterThan(quietMilliseconds);
        });
      const crew = crewOf('one', 'two');
      const end = performance.now() + seconds * 1000;
      const [deeds, mishaps] = [deedsOf(admin, dice), mishapsOf({ plane: plane(), proxy, crew }, dice)];
      const [done] = await Promise.all([
        keepDoing(deeds, { dice, end, pause: 60 }),
        keepDoing(mishaps, { dice, end, pause: 4000 }),
      ]);
      expect(done).toBeGreaterThan(seconds);

      await atRest(crew);
      // Garbage is collected by others, in their time.
      await recovered(crew, async () => expect(await wrongsIn(admin)).toEqual([]));
      await atRest(crew);
      await crew.end();

      // Whoever knows nothing of all that finds nothing to do.
      const writes = proxy.seen(work).length;
      const another = crewOf('three');
      await atRest(another);
      await another.end();
      expect(proxy.seen(work).slice(writes)).toEqual([]);
      expect([...crew.wrongs, ...another.wrongs]).toEqual([]);
    },
    (seconds + 4 * recoverySeconds) * 1000,
  );
});

/** One after the other, with pauses of up to `pause` milliseconds; returns how many could be done. */
async function keepDoing(
  all: Readonly<Record<string, () => Promise<unknown>>>,
  { dice, end, pause }: { readonly dice: Dice; readonly end: number; readonly pause: number },
): Promise<number> {
  let done = 0;
  while (performance.now() < end) {
    await sleep(dice.whole(0, pause));
    // What there is not cannot be changed, and what there is not made.
    const isDone = await all[dice.one(Object.keys(all))]!().then(
      () => true,
      () => false,
    );
    if (isDone) done++;
  }
  return done;
}
