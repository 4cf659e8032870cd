import { expect, it } from '@jest/globals';
import { sleep } from '../../../src/kube/clock.js';
import type { KubeObject } from '../../../src/kube/manifest.js';
import { BegunNamespaces } from '../../../src/runtime/informer/begun-namespaces.js';
import type { Change } from '../../../src/runtime/informer/store.js';
import type { WatchedKind } from '../../../src/runtime/informer/watched-kind.js';
import { Aside } from '../../../src/runtime/queue/aside.js';
import { groupOfKey, queueKey } from '../../../src/runtime/queue/queue-key.js';
import { priorities } from '../../../src/runtime/queue/ready-keys.js';
import { WorkQueue } from '../../../src/runtime/queue/work-queue.js';
import { VirtualClock } from '../../../src/testing/virtual-clock.js';
import { configMap } from '../an-object.js';

/** One of which the status says that an author's code did not end for it. */
function suspect(name: string, namespace: string): KubeObject {
  const message = 'compose of Foo did not end within 5 s; a hint';
  const condition = { type: 'Stalled', status: 'True', observedGeneration: 1, message };
  return { ...configMap(name, 1, { namespace, generation: 1 }), status: { conditions: [condition] } };
}

it('lets what did not end the last time wait for all others, whichever namespace it is in', async () => {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock, random: () => 0, groupOf: groupOfKey });
  const others = Array.from({ length: 30 }, (_, index) => configMap(`c${index}`, 1, { namespace: 'many' }));
  const suspects = Array.from({ length: 10 }, (_, index) => suspect('loops', `of-${index}`));
  const all = [...suspects, ...others];
  const keyOf = ({ metadata }: KubeObject) => queueKey(metadata.namespace, metadata.name);
  const custom = {
    namespaces: [undefined],
    answered: () => Promise.resolve(),
    keys: () => all.map(keyOf),
    subscribe: (listener: (change: Change) => void) => {
      for (const object of all) listener({ type: 'added', object });
    },
  } as unknown as WatchedKind;
  const begun = new BegunNamespaces({
    custom,
    looksAt: [custom],
    filled() {},
    begin: (key) => queue.add(key, 'begins', { priority: priorities.resync }),
    aside: new Aside({ clock, idleSince: () => queue.idleSince }),
  });
  await begun.all;
  begun.work();
  const taken: string[] = [];
  const stop = new AbortController();
  const working = (async () => {
    for (;;) {
      const { key } = await queue.take(stop.signal);
      taken.push(key);
      await sleep(clock, 10);
      queue.done(key);
    }
  })().catch(() => {});
  await clock.advance(2000);
  expect(taken.slice(0, 30).sort()).toEqual(others.map(keyOf).sort());
  expect(taken.slice(30).sort()).toEqual(suspects.map(keyOf).sort());
  stop.abort();
  await working;
});
