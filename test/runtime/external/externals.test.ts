import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../../imports/k8s.js';
import { type ExternalCall, type ExternalOf, type KubeObject, operator, TerminalError } from '../../../src/index.js';
import { startCluster, type TestCluster } from '../../../src/testing/index.js';
import { conditionIn } from '../../condition-in.js';
import { Booked, trip } from '../a-booked-kind.js';

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

  it.each([
    ['without a prototype', Object.create(null) as object],
    ['that is no error', { message: 5 }],
    ['of nothing', undefined],
  ])('is told of its custom resource, though a function throws something %s', async (_, thrown) => {
    const fails = () => Promise.reject(thrown as Error);
    await cluster.run(operatorOf(fails, async () => {}));
    await cluster.apply(trip);
    await cluster.advance(1);
    const { status } = (await cluster.get(Booked, 'trip')) as KubeObject & { status?: { conditions: unknown } };
    const message = expect.stringMatching(/^Booked.default.trip: booking cannot be brought up to date: ./) as unknown;
    expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', message }));
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

describe('what is outside the cluster, of a custom resource of which something else fails', () => {
  let cluster: TestCluster;
  const looks = { seat: 0, meal: 0 };
  beforeEach(async () => {
    cluster = await startCluster();
    Object.assign(looks, { seat: 0, meal: 0 });
  });
  afterEach(() => cluster.stop());

  /** Looked at in this order; `fails` says which of them cannot be looked at. */
  const start = (fails: { readonly seat?: () => Error; readonly meal?: () => Error } = {}) => {
    const external = (name: 'seat' | 'meal', pollSeconds: number): ExternalOf<typeof Booked, string> => ({
      pollSeconds,
      observe: async () => {
        looks[name]++;
        const error = fails[name]?.();
        if (error) throw error;
        return name;
      },
      ensure: async () => name,
      remove: async () => {},
    });
    return cluster.run(
      operator(Booked, {
        owns: [ConfigMap],
        external: { seat: external('seat', 60), meal: external('meal', 30) },
        compose(scope) {
          new ConfigMap(scope, 'ticket', { data: { class: '2' } });
        },
      }),
    );
  };
  const strangersTicket = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'trip-ticket' } };
  const ready = async () => conditionIn(await cluster.get(Booked, 'trip'));
  const hour = 3600;

  it('is looked at as often as its operator says, though the name of a child is taken', async () => {
    await start();
    await cluster.apply(strangersTicket);
    await cluster.apply(trip);
    await cluster.advance(hour);
    expect(looks.meal).toBeGreaterThanOrEqual(hour / 30 - 1);
    expect(looks.meal).toBeLessThanOrEqual(hour / 30 + 3);
    expect(await ready()).toMatchObject({ reason: 'ApplyConflict' });
  });

  it('is tried again with growing pauses, though the name of a child is taken', async () => {
    await start({ seat: () => new Error('no answer'), meal: () => new Error('no answer') });
    await cluster.apply(strangersTicket);
    await cluster.apply(trip);
    await cluster.advance(hour);
    expect(looks.meal).toBeGreaterThanOrEqual(hour / 90);
    expect(looks.meal).toBeLessThanOrEqual(hour / 60 + 10);
    expect(await ready()).toMatchObject({ reason: 'ApplyConflict' });
  });

  it('is tried again, though there is no use in it for another', async () => {
    let isDown = true;
    await start({
      seat: () => new TerminalError('sold out'),
      meal: () => (isDown ? new Error('no answer') : undefined) as Error,
    });
    await cluster.apply(trip);
    await cluster.advance(hour);
    expect(looks.meal).toBeGreaterThanOrEqual(hour / 90);
    expect(looks.meal).toBeLessThanOrEqual(hour / 60 + 10);
    expect(await ready()).toMatchObject({ reason: 'ExternalFailed', message: expect.stringContaining('sold out') });

    isDown = false;
    await cluster.advance(90);
    const before = looks.meal;
    await cluster.advance(hour);
    expect(looks.meal - before).toBeGreaterThanOrEqual(hour / 30 - 1);
    expect(looks.meal - before).toBeLessThanOrEqual(hour / 30 + 1);
  });

  it('is looked at as often as its operator says, and no more, where there is no use in trying again', async () => {
    await start({ seat: () => new TerminalError('sold out'), meal: () => new TerminalError('sold out') });
    await cluster.apply(trip);
    await cluster.advance(hour);
    expect(Math.abs(looks.meal - hour / 30)).toBeLessThanOrEqual(3);
  });

  it('does not keep a child that the API server refused from being tried again', async () => {
    const controller = await start({
      seat: () => new TerminalError('sold out'),
      meal: () => new TerminalError('sold out'),
    });
    controller.faults.refuse({ verb: 'create', kind: 'ConfigMap' }, { code: 422 });
    await cluster.apply(trip);
    await cluster.advance(301);
    expect(await cluster.find(ConfigMap, 'trip-ticket')).toBeDefined();
  });

  it('is not asked before the API server says so, where that asked to wait', async () => {
    const controller = await start({ meal: () => new Error('no answer') });
    controller.faults.refuse({ verb: 'create', kind: 'ConfigMap' }, { code: 429, retryAfterSeconds: 200 });
    await cluster.apply(trip);
    await cluster.advance(199);
    expect(looks.meal).toBe(1);
    await cluster.advance(2);
    expect(looks.meal).toBe(2);
  });
});
