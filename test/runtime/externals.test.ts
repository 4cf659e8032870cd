import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { customResource, type ExternalCall, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';

const Booked = customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Booked',
  plural: 'bookeds',
  spec: s.object({}),
});
const trip = { apiVersion: Booked.apiVersion, kind: Booked.kind, metadata: { name: 'trip' }, spec: {} };

/** A service that answers when the test says so. */
class SlowService {
  readonly asked: string[] = [];
  readonly #answers: (() => void)[] = [];
  readonly signals: AbortSignal[] = [];

  readonly fetch: typeof globalThis.fetch = (url, init) => {
    this.asked.push(String(url));
    if (init?.signal) this.signals.push(init.signal);
    return new Promise((resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
      this.#answers.push(() => resolve(new Response()));
    });
  };

  answer(): void {
    for (const answer of this.#answers.splice(0)) answer();
  }
}

const operatorOf = (
  observe: (call: ExternalCall) => Promise<unknown>,
  ensure: (call: ExternalCall) => Promise<unknown>,
) =>
  operator(Booked, {
    owns: [],
    compose() {},
    external: {
      booking: {
        pollSeconds: 3600,
        observe: (_, call) => observe(call),
        ensure: (_, __, call) => ensure(call),
        remove: async () => {},
      },
    },
  });

describe('what is outside the cluster', () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startCluster();
  });
  afterEach(() => cluster.stop());

  it.each([
    [
      'the next function',
      (call: ExternalCall) => call.fetch('http://look'),
      (call: ExternalCall) => call.fetch('http://book'),
    ],
    [
      'the next request of the same function',
      async (call: ExternalCall) => {
        await call.fetch('http://look');
        await call.fetch('http://book');
      },
      async () => {},
    ],
  ])('is not acted on by %s of a process that was stopped while another began to lead', async (_, observe, ensure) => {
    const [old, young] = [new SlowService(), new SlowService()];
    const booked = operatorOf(observe, ensure);
    const first = await cluster.run(booked, { leaderElect: true, fetch: old.fetch });
    await cluster.apply(trip);
    await cluster.advance(1);
    expect(old.asked).toEqual(['http://look']);

    const second = await cluster.run(booked, { leaderElect: true, fetch: young.fetch });
    first.pause();
    await cluster.advance(25);
    expect(second.leads).toBe(true);
    // It wakes up, and hears first what came in meanwhile.
    old.answer();
    await first.resume({ first: 'answers' });
    await cluster.advance(1);
    expect(old.asked).toEqual(['http://look']);
    expect(young.asked).toEqual(['http://look']);
  });

  it('is asked no longer by whoever has lost the Lease', async () => {
    const service = new SlowService();
    const booked = operatorOf(
      (call) => call.fetch('http://look'),
      async () => {},
    );
    const controller = await cluster.run(booked, { leaderElect: true, fetch: service.fetch });
    await cluster.apply(trip);
    await cluster.advance(1);
    controller.faults.partition();
    await cluster.advance(11);
    expect(controller.leads).toBe(false);
    expect(service.signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('is given up after thirty seconds, also where a function hands no signal to fetch', async () => {
    const service = new SlowService();
    const booked = operatorOf(
      (call) => call.fetch('http://look'),
      async () => {},
    );
    const controller = await cluster.run(booked, { fetch: service.fetch });
    await cluster.apply(trip);
    await cluster.advance(29);
    expect(service.signals.map(({ aborted }) => aborted)).toEqual([false]);
    await cluster.advance(2);
    expect(service.signals[0]?.aborted).toBe(true);
    expect(controller.log.map(({ data }) => data['error'])).toContainEqual(
      expect.stringContaining('no answer within 30 s'),
    );
  });

  it('is asked until a signal aborts that a function hands to fetch', async () => {
    const service = new SlowService();
    const own = new AbortController();
    const booked = operatorOf(
      (call) => call.fetch(new Request('http://look', { signal: own.signal })),
      async () => {},
    );
    await cluster.run(booked, { fetch: service.fetch });
    await cluster.apply(trip);
    await cluster.advance(1);
    own.abort(new Error('enough'));
    expect(service.signals[0]?.aborted).toBe(true);
  });
});
