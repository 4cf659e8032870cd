import { expect, it } from '@jest/globals';
import type { Cluster } from '../../../src/client/cluster.js';
import { operator } from '../../../src/index.js';
import type { KubeObject } from '../../../src/kube/manifest.js';
import { Externals } from '../../../src/runtime/external/externals.js';
import { finalizerOf } from '../../../src/runtime/writes/finalizer.js';
import { VirtualClock } from '../../../src/testing/virtual-clock.js';
import { Booked, trip } from '../a-booked-kind.js';

/** An author who changes what is only lent. */
const change = async (cr: unknown) => {
  (cr as { spec: { seat?: string } }).spec.seat = '1A';
};
const externalsOf = (answered?: KubeObject) =>
  new Externals({
    operator: operator(Booked, {
      owns: [],
      compose() {},
      external: {
        seat: { pollSeconds: 10, observe: change, ensure: async () => {}, remove: change },
      },
    }),
    cluster: { patch: async () => answered } as unknown as Cluster,
    clock: new VirtualClock(),
    random: () => 0,
    settings: {},
    fetch: async () => new Response(),
    again: () => {},
  });
const confirm = async () => {};
const lent = (finalizers: readonly string[]) => ({
  ...trip,
  spec: {},
  metadata: { name: 'trip', namespace: 'a', uid: '1', resourceVersion: '1', finalizers: [...finalizers] },
});

const occasion = (cr: ReturnType<typeof lent>) => ({ key: 'a/trip', cr, inputs: {} });

it('what removes something outside can change nothing of a custom resource, which is that of the store', async () => {
  const stored = lent([finalizerOf(trip)]);
  const removed = externalsOf().remove(occasion(stored), async () => occasion(stored), new AbortController().signal);
  await expect(removed).rejects.toThrow('not extensible');
  expect(stored.spec).toEqual({});
});

it('what looks at something outside can change nothing of a custom resource, also in the round that gave it its finalizer', async () => {
  const answered = lent([finalizerOf(trip)]);
  const terms = { mode: 'enforce', confirm, confirmOwner: confirm } as const;
  const { errors } = await externalsOf(answered).ensure(occasion(lent([])), terms, new AbortController().signal);
  expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining('not extensible')]);
});
