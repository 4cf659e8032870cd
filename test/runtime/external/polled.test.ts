import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap, EventsEvent } from '../../../imports/k8s.js';
import { type ExternalOf, operator, TerminalError } from '../../../src/index.js';
import { type CallMatch, startCluster, type TestCluster } from '../../../src/testing/index.js';
import { dependantsOf } from '../../dependants-of.js';
import { Booked, trip } from '../a-booked-kind.js';

const refusing: typeof globalThis.fetch = async (address) => {
  throw new TypeError(`Failed to parse URL from ${String(address)}`);
};

describe('a custom resource of which something outside cannot be had', () => {
  let cluster: TestCluster;
  let rounds: number;
  beforeEach(async () => {
    rounds = 0;
    cluster = await startCluster();
  });
  afterEach(() => cluster.stop());

  /** Says so in other words each time. */
  const soldOut: ExternalOf<typeof Booked, string> = {
    pollSeconds: 3600,
    observe: async () => {
      throw new TerminalError(`sold out, request ${rounds}`);
    },
    ensure: async () => 'none',
    remove: async () => {},
  };
  const had: ExternalOf<typeof Booked, string> = {
    pollSeconds: 10,
    observe: async () => 'there',
    ensure: async () => 'there',
    remove: async () => {},
  };
  const start = (more: { readonly external: object; readonly requeueAfterSeconds?: number }) =>
    cluster.run(
      operator(Booked, {
        owns: [],
        compose() {
          rounds++;
        },
        ...more,
      }),
    );

  it('says so in other words once a minute, however often the rest is looked at', async () => {
    const controller = await start({ external: { seat: soldOut, meal: had } });
    await cluster.apply(trip);
    await cluster.advance(600);
    expect(rounds).toBeGreaterThan(50);
    expect(cluster.writes().filter(({ subresource }) => subresource === 'status').length).toBeLessThanOrEqual(12);
    expect(controller.log.filter(({ level }) => level === 'error').length).toBeLessThanOrEqual(12);
  });

  it.each<[string, CallMatch]>([
    ['a child', { verb: 'create', kind: 'ConfigMap' }],
    ['its status', { kind: 'Booked', subresource: 'status' }],
  ])('is looked at as often, however long %s has been refused', async (_, refused) => {
    let looks = 0;
    const meal: ExternalOf<typeof Booked, string> = {
      ...had,
      pollSeconds: 30,
      observe: async () => {
        looks++;
        return 'there';
      },
    };
    const controller = await cluster.run(
      operator(Booked, {
        owns: [ConfigMap],
        compose(scope) {
          new ConfigMap(scope, 'receipt');
        },
        external: { meal },
      }),
    );
    controller.faults.refuse(refused, { code: 403, times: 1_000_000 });
    await cluster.apply(trip);
    await cluster.advance(3600);
    expect(looks).toBeGreaterThanOrEqual(3600 / 30 - 1);
  });

  it.each([
    ['a password', 'https://user:hunter2@bookings', '//(hidden)@bookings', globalThis.fetch],
    ['a password with a quote in it', "https://user:hun'ter2@bookings", '//(hidden)@bookings', globalThis.fetch],
    ['nothing but slashes', `http:${'/'.repeat(300_000)}`, 'Failed to parse', refusing],
  ])('tells nobody what stands before the host of an address, of %s', async (_, address, told, fetch) => {
    const controller = await cluster.run(
      operator(Booked, {
        owns: [],
        compose() {},
        settings: { BOOKING_URL: 'Where seats are booked.' },
        external: {
          seat: {
            ...had,
            observe: async (_, call) => {
              await call.fetch(`${call.setting('BOOKING_URL')}/seats`);
              return 'there';
            },
          } satisfies ExternalOf<typeof Booked, string>,
        },
      }),
      { settings: { BOOKING_URL: address }, fetch },
    );
    await cluster.apply(trip);
    await cluster.advance(5);
    const { status } = await cluster.get(Booked, 'trip');
    expect(status?.conditions?.[0]).toMatchObject({ message: expect.stringContaining(told) });
    const all = JSON.stringify([status, await cluster.list(EventsEvent), controller.log]);
    expect(all).not.toContain('user:hun');
  });

  it('is asked without a trace on a signal that its author keeps', async () => {
    const kept = new AbortController();
    const other = AbortSignal.any([kept.signal]);
    // Node 24 counts whom somebody listens to.
    other.addEventListener('abort', () => {});
    expect(dependantsOf(kept.signal)).toBe(1);
    let asked = 0;
    const seat: ExternalOf<typeof Booked, string> = {
      ...had,
      observe: async (_, call) => {
        await call.fetch('http://seats', { signal: kept.signal });
        asked++;
        return 'there';
      },
    };
    const external = { seat };
    const fetch = async () => new Response();
    await cluster.run(operator(Booked, { owns: [], compose() {}, external }), { fetch });
    await cluster.apply(trip);
    await cluster.advance(60);
    expect(asked).toBeGreaterThan(4);
    expect(getEventListeners(kept.signal, 'abort')).toEqual([]);
    expect(dependantsOf(kept.signal)).toBe(1);
    // Needed until here: one that nobody has is not counted by every version of Node.
    expect(other.aborted).toBe(false);
  });

  it('is not changed by a call that was given up before it came to that', async () => {
    let looks = 0;
    let changes = 0;
    const seat: ExternalOf<typeof Booked, string> = {
      ...had,
      pollSeconds: 3600,
      observe: async () => {
        // Of the signal it takes no notice.
        if (looks++ === 0) await new Promise<void>((resolve) => cluster.clock.after(40_000, resolve));
        return 'there';
      },
      ensure: async () => {
        changes++;
        return 'there';
      },
    };
    await start({ external: { seat } });
    await cluster.apply(trip);
    await cluster.advance(35);
    expect([looks, changes]).toEqual([2, 1]);
    await cluster.advance(10);
    expect([looks, changes]).toEqual([2, 1]);
  });

  it('is looked at as often as its author said', async () => {
    await start({ external: { seat: soldOut }, requeueAfterSeconds: 10 });
    await cluster.apply(trip);
    await cluster.advance(600);
    expect(rounds).toBeGreaterThan(50);
  });
});
