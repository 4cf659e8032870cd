import { describe, expect, it } from '@jest/globals';
import { TransportError } from '../../../src/client/api-error.js';
import type { Cluster } from '../../../src/client/cluster.js';
import { DeadlineError } from '../../../src/client/deadline-error.js';
import { leaderOnly } from '../../../src/runtime/lease/leader-only.js';

const maps = { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
const map = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'default', name: 'a', uid: '', resourceVersion: '' },
};
const target = { namespace: 'default', name: 'a' };
const by = { fieldManager: 'kilter' };

const writes: readonly [string, (cluster: Cluster) => Promise<unknown>][] = [
  ['create', (cluster) => cluster.create(maps, map, by)],
  ['update', (cluster) => cluster.update(maps, map, { ...by, timeoutSeconds: 100 })],
  ['apply', (cluster) => cluster.apply(maps, map, { ...by, force: true })],
  ['patch', (cluster) => cluster.patch(maps, target, { type: 'merge', body: {} }, by)],
  ['delete', (cluster) => cluster.delete(maps, target)],
];

describe('a cluster for the leader only', () => {
  /** Answers each call with its last argument. */
  const echo = new Proxy({} as Cluster, {
    get:
      () =>
      (...call: readonly unknown[]) =>
        Promise.resolve(call.at(-1)),
  });
  let renewal: () => Promise<void>;
  const leadership = { left: 0, until: 9000, callMilliseconds: 0, renewed: () => renewal() };
  const lost = () => Promise.reject(new Error('the Lease is not held any more'));
  const cluster = leaderOnly(echo, leadership);

  it.each(writes)('refuses to %s without the Lease', async (_, write) => {
    leadership.left = 0;
    renewal = lost;
    await expect(write(cluster)).rejects.toThrow('the Lease is not held any more');
  });

  it.each(writes)('lets the leader %s for as long as the Lease is held', async (_, write) => {
    leadership.left = 4500;
    expect(await write(cluster)).toMatchObject({ timeoutSeconds: 4.5 });
  });

  it('asks for nothing else than its caller does where a write has less time than usual', async () => {
    leadership.left = 4500;
    const asked = { ...by, force: true };
    expect(await cluster.apply(maps, map, asked)).toEqual({ ...asked, timeoutSeconds: 4.5, until: 9000 });
  });

  it('lets a write wait for the next renewal, when the time of the last is over', async () => {
    leadership.left = 0;
    renewal = async () => {
      leadership.left = 6000;
    };
    expect(await cluster.create(maps, map, by)).toMatchObject({ timeoutSeconds: 6 });
  });

  it('lets a write wait once for the next renewal, when less time is left than a call takes', async () => {
    Object.assign(leadership, { left: 2000, callMilliseconds: 3000 });
    renewal = async () => {
      leadership.left = 4000;
    };
    expect(await cluster.create(maps, map, by)).toMatchObject({ timeoutSeconds: 4 });
    Object.assign(leadership, { left: 2000, callMilliseconds: 5000 });
    expect(await cluster.create(maps, map, by)).toMatchObject({ timeoutSeconds: 4 });
    // Enough for one that takes as long as the last, and for none that takes a little longer.
    Object.assign(leadership, { left: 3100, callMilliseconds: 3000 });
    expect(await cluster.create(maps, map, by)).toMatchObject({ timeoutSeconds: 4 });
    leadership.callMilliseconds = 0;
  });

  it('keeps the shorter time that a caller asks for', async () => {
    leadership.left = 4500;
    const asked = { ...by, timeoutSeconds: 2 };
    expect(await cluster.create(maps, map, asked)).toEqual({ ...asked, until: 9000 });
  });

  it('says what to do about a write that gets no answer as long as the Lease lets it take, and of no other', async () => {
    leadership.left = 7000;
    const hang = { ...echo, create: () => Promise.reject(new DeadlineError('no answer within 7 s')) };
    const hanging = leaderOnly(hang as unknown as Cluster, leadership);
    const hintOf = (options: object) =>
      hanging.create(maps, map, { ...by, ...options }).catch(({ message, hint }: DeadlineError) => [message, hint]);
    const flags = /admission webhook .* --leader-elect-lease-duration and --leader-elect-renew-deadline/;
    expect(await hintOf({})).toEqual(['no answer within 7 s', expect.stringMatching(flags)]);
    expect(await hintOf({ timeoutSeconds: 7 })).toEqual(['no answer within 7 s', undefined]);
    hang.create = () => Promise.reject(new TransportError('connection reset'));
    expect(await hintOf({})).toEqual(['connection reset', undefined]);
  });

  it('lets everybody read', async () => {
    leadership.left = 0;
    expect(await cluster.get(maps, target, { timeoutSeconds: 7 })).toEqual({ timeoutSeconds: 7 });
    expect(await cluster.list(maps, { limit: 5 })).toEqual({ limit: 5 });
  });
});
