import { afterEach, describe, expect, it } from '@jest/globals';
import { Event } from '../../imports/k8s.js';
import { TransportError } from '../../src/client/api-error.js';
import type { Cluster, WatchEvent } from '../../src/client/cluster.js';
import { customResource, type ExternalOf, operator, s } from '../../src/index.js';
import { type Clock, sleep } from '../../src/kube/clock.js';
import { Memcached, memcached } from '../../src/operators/memcached.js';
import { type Run, runOn } from './a-run.js';

interface Told {
  readonly type: string;
  readonly reason: string;
  readonly involvedObject?: { readonly kind: string };
  readonly regarding?: { readonly kind: string };
}

const cache = (name = 'a', size = 1) => ({
  apiVersion: Memcached.apiVersion,
  kind: Memcached.kind,
  metadata: { name },
  spec: { size },
});

/** A watch over a network: what it says comes a moment after the answer to the write. */
async function* late(events: AsyncIterable<WatchEvent>, clock: Clock): AsyncGenerator<WatchEvent> {
  for await (const event of events) {
    await sleep(clock, 2);
    yield event;
  }
}

describe('a custom resource that fails in other words each time', () => {
  let run: Run;
  afterEach(() => run.stop());
  const counts = { creates: 0, statuses: 0 };

  const start = async (fails: (kind: string) => boolean = (kind) => kind === 'Deployment') => {
    Object.assign(counts, { creates: 0, statuses: 0 });
    run = await runOn([memcached], (server, clock) => ({
      watch: (resource, options) => late(server.watch(resource, options), clock),
      create: async (resource, manifest, options) => {
        if (!fails(resource.kind)) return server.create(resource, manifest, options);
        const port = 40_001 + counts.creates++;
        throw new TransportError(
          `Deployment/default/a-server create failed: read tcp 10.0.0.1:${port}: connection reset`,
        );
      },
      apply: (resource, manifest, options) => {
        if (options.subresource === 'status') counts.statuses++;
        return server.apply(resource, manifest, options);
      },
    }));
  };
  const failures = () => run.lines.filter(({ level }) => level === 'error').length;

  it('is tried again with growing pauses, and told once', async () => {
    await start();
    await run.cluster.apply(cache());
    await run.cluster.advance(4);
    // 5 ms, 10 ms, … 2,560 ms.
    expect(counts.creates).toBeLessThanOrEqual(11);
    expect(counts.creates).toBeGreaterThanOrEqual(9);
    expect([counts.statuses, failures()]).toEqual([1, 1]);
  });

  it('has its newest words told about once a minute', async () => {
    await start();
    await run.cluster.apply(cache());
    await run.cluster.advance(600);
    expect(counts.creates).toBeGreaterThan(14);
    expect(counts.statuses).toBeGreaterThan(2);
    expect(counts.statuses).toBeLessThan(7);
    expect(failures()).toBe(counts.statuses);
    expect((await run.cluster.list(Event)).length).toBe(counts.statuses);
  });

  it('is told to be well once it is, if it was told not to be', async () => {
    let isBroken = true;
    await start((kind) => isBroken && kind === 'Deployment');
    await run.cluster.apply(cache());
    await run.cluster.advance(4);
    isBroken = false;
    await run.cluster.settled();
    await run.cluster.apply(cache('b'));
    await run.cluster.settled();
    const events = (await run.cluster.list(Event)) as unknown as Told[];
    const ours = events.filter(({ involvedObject, regarding = involvedObject }) => regarding?.kind === 'Memcached');
    expect(ours.map(({ type, reason }) => `${type} ${reason}`)).toEqual([
      'Warning ApplyFailed',
      'Normal ReconciliationSucceeded',
    ]);
    expect(run.lines.filter(({ msg }) => msg === 'Is well again').map(({ name }) => name)).toEqual(['a']);
  });
});

describe('what is outside and never twice the same', () => {
  const Ticket = customResource({
    group: 'travel.example.com',
    version: 'v1',
    kind: 'Ticket',
    spec: s.object({}),
    status: s.object({ looks: s.int32() }),
  });

  it.each<[string, (server: Cluster, clock: Clock) => Partial<Cluster>]>([
    [
      'watches come after answers',
      (server, clock) => ({ watch: (resource, options) => late(server.watch(resource, options), clock) }),
    ],
    [
      'answers come after watches',
      (server, clock) => ({
        apply: async (...call) => {
          const answer = await server.apply(...call);
          await sleep(clock, 50);
          return answer;
        },
      }),
    ],
  ])('is looked at as often as its operator says, whatever its status says each time: %s', async (_, network) => {
    let looks = 0;
    const tickets = operator(Ticket, {
      owns: [],
      external: {
        seat: {
          pollSeconds: 30,
          observe: async () => ++looks,
          ensure: async (_, seen) => seen ?? 0,
          remove: async () => {},
        } satisfies ExternalOf<typeof Ticket, number>,
      },
      compose() {},
      status: (_, __, ___, { seat }) => ({ looks: seat ?? 0 }),
    });
    const run = await runOn([tickets], network);
    await run.cluster.apply({ apiVersion: Ticket.apiVersion, kind: Ticket.kind, metadata: { name: 'a' }, spec: {} });
    await run.cluster.advance(29);
    expect(looks).toBeLessThanOrEqual(2);
    await run.cluster.advance(60);
    expect(looks).toBeGreaterThanOrEqual(3);
    expect(looks).toBeLessThanOrEqual(4);
    await run.stop();
  });
});
