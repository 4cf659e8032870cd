import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import { bundledProgram } from '../bundled-program.js';
import { Dice } from '../simulation/dice.js';
import { eventually } from './eventually.js';
import { FaultProxy } from './fault-proxy.js';
import { InstalledController } from './installed-controller.js';
import { markPodsReady } from './kubelet-stand-in.js';
import { onRealCluster } from './on-real-cluster.js';
import { work } from './proxy-rules.js';
import { administratorsDeeds, namespaceDeeds } from './soak/administrators.js';
import { Chance } from './soak/chance.js';
import { Crew, type Version } from './soak/crew.js';
import { fooDeeds } from './soak/foos.js';
import { Hands, namespaces } from './soak/hands.js';
import { heldDeeds, memcachedDeeds } from './soak/memcacheds.js';
import { mishapsOf } from './soak/mishaps.js';
import { syncDeeds } from './soak/syncs.js';
import { wrongsIn } from './soak/verdict.js';

const seconds = Number(process.env['SOAK_SECONDS'] ?? 30);
const seed = Number(process.env['SOAK_SEED'] ?? Date.now() % 1e6);
/** Whoever was left alone for so long is at rest. */
const quietMilliseconds = 4000;
/** How long that may take: Leases that expire, watches that are dead, back-off. */
const recoverySeconds = 600;
/** Those in one process, each with its rights. */
const operators = ['memcached', 'foo', 'configmapsync'] as const;

/**
 * What the simulation does in virtual time, on the real API server and over real sockets, with two processes. No run is like
 * another, not even of one seed. `SOAK_SECONDS=600 npm test -- test/cluster/soak` goes on for longer.
 */
onRealCluster('while all goes wrong', { controllerManager: true }, (plane) => {
  let installed: InstalledController;
  let proxy: FaultProxy;
  let admin: HttpCluster;
  const versions: Version[] = [{ name: 'the one before' }];
  const over = new AbortController();
  let kubelet: Promise<void> | undefined;
  beforeAll(async () => {
    installed = await InstalledController.on(plane());
    const program = await bundledProgram('test/cluster/soak/next-version.ts', join(installed.folder, 'next'));
    versions.push({ name: 'the next', program });
    proxy = await FaultProxy.start(plane());
    admin = connect(await kubeConfig({ path: plane().kubeconfig }));
    const account = `--serviceaccount=${installed.namespace}:${installed.lease}`;
    for (const operator of operators) {
      const role = `--clusterrole=${operator}-operator`;
      await plane().kubectl(['create', 'clusterrolebinding', `soak-${operator}`, role, account]);
    }
    kubelet = playKubelet(admin, over.signal);
  });
  afterAll(async () => {
    over.abort();
    await kubelet;
    await installed?.remove();
    await proxy?.close();
    await admin?.close();
  });

  const crews: Crew[] = [];
  afterEach(async () => {
    for (const crew of crews.splice(0)) await crew.end();
  });

  it(
    `${seconds} s of edits, drift and faults by the seed ${seed} end as if none had been`,
    async () => {
      const dice = new Dice(seed);
      const crewOf = (version: Version, ...names: readonly string[]): Crew => {
        const crew = new Crew(installed, proxy, dice, names, [`--operators=${operators}`], version);
        crews.push(crew);
        return crew;
      };
      const chance = new Chance(dice, performance.now() + seconds * 1000, seconds);
      const recovered = (crew: Crew, assertion: () => Promise<void>) =>
        eventually(assertion, recoverySeconds).catch((error: unknown) => {
          throw new Error(`${(error as Error).message}\n${chance.story}\n${crew.tail}`, { cause: error });
        });
      const atRest = (crew: Crew) =>
        recovered(crew, async () => {
          await crew.expectIdle();
          expect(proxy.quietFor(work)).toBeGreaterThan(quietMilliseconds);
        });
      const hands = new Hands(admin, dice);
      const crew = crewOf(versions[0]!, 'one', 'two');
      await Promise.all([
        chance.keepDoing(memcachedDeeds(hands), 120),
        chance.keepDoing(fooDeeds(hands), 600),
        chance.keepDoing(syncDeeds(hands), 400),
        chance.keepDoing(heldDeeds(hands), 2000),
        chance.keepDoing(namespaceDeeds(hands), 3000),
        chance.keepDoing(administratorsDeeds(hands, installed), 12_000, { isTold: true }),
        chance.keepDoing(mishapsOf({ plane: plane(), proxy, crew, versions }, dice), 4000, { isTold: true }),
      ]);

      const version = dice.one(versions);
      crew.rollOut(version);
      await atRest(crew);
      // Garbage is collected by others, in their time.
      await recovered(crew, async () => expect(await wrongsIn(admin, version)).toEqual([]));
      await atRest(crew);
      await crew.end();

      // Whoever knows nothing of all that finds nothing to do.
      const writes = proxy.seen(work).length;
      const another = crewOf(version, 'three');
      await atRest(another);
      await another.end();
      expect(proxy.seen(work).slice(writes)).toEqual([]);
      expect([...crew.wrongs, ...another.wrongs, ...(await wrongsIn(admin, version))]).toEqual([]);
    },
    (seconds + 4 * recoverySeconds) * 1000,
  );
});

/** Every Pod is ready soon after it is made. */
async function playKubelet(admin: HttpCluster, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (const namespace of namespaces) await markPodsReady(admin, namespace).catch(() => {});
    await sleep(200);
  }
}
