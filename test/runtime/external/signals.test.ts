import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import type { Cluster } from '../../../src/client/cluster.js';
import { type ExternalCall, type ExternalOf, operator } from '../../../src/index.js';
import { Externals, type Terms } from '../../../src/runtime/external/externals.js';
import { finalizerOf } from '../../../src/runtime/writes/finalizer.js';
import { VirtualClock } from '../../../src/testing/virtual-clock.js';
import { dependantsOf } from '../../dependants-of.js';
import { Booked, trip } from '../a-booked-kind.js';

const metadata = { name: 'trip', namespace: 'a', uid: '1', resourceVersion: '1', finalizers: [finalizerOf(trip)] };
const answering = async () => new Response();
const held = { ...trip, metadata };
const confirm = async () => {};
const occasion = { key: 'a/trip', cr: held, inputs: {} };
const terms: Terms = { mode: 'enforce', confirm, confirmOwner: confirm };

describe('the signal of the process', () => {
  type Observe = ExternalOf<typeof Booked, string>['observe'];
  const seat = (observe: Observe): ExternalOf<typeof Booked, string> => ({
    pollSeconds: 10,
    observe,
    ensure: async () => 'there',
    remove: async () => {},
  });
  const externalsOf = (observe: Observe, clock: VirtualClock, fetch: typeof globalThis.fetch = answering) =>
    new Externals({
      operator: operator(Booked, { owns: [], compose() {}, external: { seat: seat(observe) } }),
      // Asked for nothing: the finalizer is there.
      cluster: {} as Cluster,
      clock,
      random: () => 0,
      settings: {},
      fetch,
      again: () => {},
    });

  it.each<[string, () => Promise<string>, number]>([
    ['answer', async () => 'there', 0],
    ['fail', () => Promise.reject(new Error('sold out')), 1],
  ])('knows nothing of calls outside the cluster that %s, however many there were', async (_, observe, failures) => {
    const { signal } = new AbortController();
    const clock = new VirtualClock();
    const externals = externalsOf(observe, clock);
    for (let round = 0; round < 50; round++) {
      const { errors } = await externals.ensure(occasion, terms, signal);
      expect(errors).toHaveLength(failures);
      await externals.remove(occasion, async () => occasion, signal);
    }
    expect([getEventListeners(signal, 'abort').length, dependantsOf(signal), clock.timers]).toEqual([0, 0, 0]);
  });

  it('ends what a call has left behind, and knows nothing of it afterwards', async () => {
    const process = new AbortController();
    const signals: AbortSignal[] = [];
    const fetch: typeof globalThis.fetch = (url, init) => {
      if (String(url).endsWith('first')) return Promise.reject(new Error('sold out'));
      const signal = init?.signal as AbortSignal;
      signals.push(signal);
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
    };
    const both = async (_: unknown, call: ExternalCall) => {
      await Promise.all([call.fetch('http://first'), call.fetch('http://second')]);
      return 'there';
    };
    const externals = externalsOf(both, new VirtualClock(), fetch);
    const { errors } = await externals.ensure(occasion, terms, process.signal);
    expect(errors).toHaveLength(1);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    process.abort(new Error('lost the Lease'));
    expect(signals.map(({ reason }) => reason as unknown)).toEqual([new Error('lost the Lease')]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(getEventListeners(process.signal, 'abort')).toEqual([]);
  });

  it('ends a call that is under way, and knows nothing of it afterwards', async () => {
    const process = new AbortController();
    const clock = new VirtualClock();
    const never = externalsOf(() => new Promise(() => {}), clock);
    const ended = never.ensure(occasion, terms, process.signal);
    await clock.advance(1);
    expect(getEventListeners(process.signal, 'abort')).toHaveLength(1);
    process.abort(new Error('stopped'));
    expect((await ended).errors).toEqual([new Error('stopped')]);
    expect([getEventListeners(process.signal, 'abort').length, clock.timers]).toEqual([0, 0]);
  });
});
