/** Longer than most files: one protocol, told by what may go wrong in it. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TransportError } from '../../../src/client/api-error.js';
import type { CallOptions, Cluster } from '../../../src/client/cluster.js';
import { sleep } from '../../../src/kube/clock.js';
import type { LeaseTimings } from '../../../src/kube/lease-timings.js';
import { LeaderElection } from '../../../src/runtime/lease/leader-election.js';
import { leaderOnly } from '../../../src/runtime/lease/leader-only.js';
import { LineLog, type LogLine } from '../../../src/testing/line-log.js';
import { settled, VirtualClock } from '../../../src/testing/virtual-clock.js';
import { LeaseServer } from '../lease-server.js';

const step = 100;

describe('leader election', () => {
  let server: LeaseServer;
  let clocks: { readonly clock: VirtualClock; readonly rate: number }[];
  const stops: AbortController[] = [];

  /** A process that stands for election, with a machine of its own, whose clock runs `rate` times as fast as it should. */
  function candidate(
    identity: string,
    wall = '2026-01-01T00:00:00Z',
    {
      rate = 1,
      timings,
      ...faults
    }: { readonly rate?: number; readonly timings?: LeaseTimings } & Partial<ReturnType<LeaseServer['connect']>> = {},
  ) {
    const clock = new VirtualClock();
    clock.setWall(Date.parse(wall));
    clocks.push({ clock, rate });
    const connection = Object.assign(server.connect(clock), faults);
    const lines: LogLine[] = [];
    const stop = new AbortController();
    stops.push(stop);
    const election = new LeaderElection({
      cluster: connection,
      clock,
      random: () => 0,
      log: new LineLog(lines, clock),
      namespace: 'system',
      id: 'kilter',
      identity,
      ...(timings ? { timings } : {}),
    });
    const lost: string[] = [];
    const running = election
      .acquire(stop.signal)
      .then(() => election.renew(stop.signal, (error) => lost.push(error.message)))
      .catch(() => {});
    return { election, connection, clock, lines, lost, stop: () => stop.abort(new Error('stopped')), running };
  }
  /** Moves time on for all; `watch` looks at each moment. */
  const pass = async (seconds: number, watch = () => {}) => {
    for (let elapsed = 0; elapsed < seconds * 1000; elapsed += step) {
      for (const { clock, rate } of clocks) await clock.advance(step * rate);
      watch();
    }
    await settled();
  };

  beforeEach(() => {
    server = new LeaseServer();
    clocks = [];
  });
  afterEach(() => {
    for (const stop of stops.splice(0)) stop.abort(new Error('the test is over'));
  });

  it('takes a Lease that is not there', async () => {
    const a = candidate('a');
    await pass(1);
    expect(a.election.leads).toBe(true);
    expect(server.spec).toMatchObject({ holderIdentity: 'a', leaseDurationSeconds: 15 });
  });

  it('takes a Lease that was given back, and counts the transition', async () => {
    server.edit({ holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 4 });
    const a = candidate('a');
    await pass(1);
    expect(a.election.leads).toBe(true);
    expect(server.spec?.leaseTransitions).toBe(5);
  });

  it('renews, and keeps the time of its accession', async () => {
    candidate('a');
    await pass(1);
    const before = server.spec;
    await pass(60);
    expect(server.spec).toMatchObject({ holderIdentity: 'a', acquireTime: before?.acquireTime, leaseTransitions: 0 });
    expect(server.spec?.renewTime).not.toBe(before?.renewTime);
  });

  it('lets one of two lead', async () => {
    const [a, b] = [candidate('a'), candidate('b')];
    await pass(120, () => expect([a.election.leads, b.election.leads]).not.toEqual([true, true]));
    expect([a.election.leads, b.election.leads]).toEqual([true, false]);
    expect(a.lost).toEqual([]);
  });

  it.each([
    ['an hour behind', '2025-12-31T23:00:00Z'],
    ['an hour ahead', '2026-01-01T01:00:00Z'],
    ['a year ahead', '2027-01-01T00:00:00Z'],
  ])('waits for the whole of a lease by its own clock, though its wall clock is %s', async (_, wall) => {
    const a = candidate('a');
    await pass(5);
    const b = candidate('b', wall);
    await pass(3);
    a.connection.isCut = true;
    await pass(11);
    expect(b.election.leads).toBe(false);
    await pass(7);
    expect(b.election.leads).toBe(true);
  });

  it('stays leader when somebody sets its wall clock', async () => {
    const [a, b] = [candidate('a'), candidate('b')];
    await pass(3);
    for (const time of ['2020-01-01T00:00:00Z', '2030-01-01T00:00:00Z']) {
      a.clock.setWall(Date.parse(time));
      b.clock.setWall(Date.parse(time));
      await pass(20);
    }
    expect([a.election.leads, b.election.leads, a.lost]).toEqual([true, false, []]);
  });

  it.each<[string, Partial<ReturnType<typeof candidate>['connection']>]>([
    ['nothing reaches the server', { isCut: true }],
    ['calls arrive after most of the time is over', { requestMilliseconds: 7000 }],
    ['calls arrive, and their answers come late', { answerMilliseconds: 6500 }],
  ])('has lost before another leads, when %s', async (_, faults) => {
    const [a, b] = [candidate('a'), candidate('b')];
    await pass(5);
    Object.assign(a.connection, faults);
    await pass(60, () => {
      expect(a.election.leads && b.election.leads).toBe(false);
      if (b.election.leads) expect(a.lost).toHaveLength(1);
      // By it all ends that is under way.
      expect(a.election.lost.aborted).toBe(a.lost.length > 0);
    });
    expect(b.election.leads).toBe(true);
    expect(a.lost).toEqual([expect.stringMatching(/^it was not renewed for 10 s/)]);
  });

  it('holds its Lease by the timings that it is given, by which others wait, also those with other ones', async () => {
    const timings = { leaseSeconds: 60, renewSeconds: 40, retrySeconds: 5 };
    const [a, b] = [candidate('a', undefined, { timings }), candidate('b', undefined, { rate: 2 })];
    await pass(11);
    expect(server.spec).toMatchObject({ holderIdentity: 'a', leaseDurationSeconds: 60 });
    a.connection.isCut = true;
    // The last renewal was a second ago. Writes end before another could lead whose clock is twice as fast.
    await pass(26.5);
    expect([a.election.leads, a.election.left]).toEqual([true, 500]);
    await pass(1);
    expect([a.election.leads, a.election.left, b.election.leads]).toEqual([true, 0, false]);
    await pass(60, () => expect(a.election.left > 0 && b.election.leads).toBe(false));
    expect(a.lost).toEqual([expect.stringMatching(/^it was not renewed for 40 s/)]);
    expect(b.election.leads).toBe(true);
  });

  it.each<[string, LeaseTimings]>([
    ['is tried to keep almost to its end', { leaseSeconds: 15, renewSeconds: 14, retrySeconds: 2 }],
    ['is given up long before its end', { leaseSeconds: 60, renewSeconds: 20, retrySeconds: 2 }],
  ])('L-06: lets no write last until another leads, or its own Lease is lost, where that %s', async (_, timings) => {
    const a = candidate('a', undefined, { timings });
    const b = candidate('b', undefined, { timings, rate: 2 });
    await pass(5);
    a.connection.isCut = true;
    const { until } = a.election;
    await pass(60, () => {
      if (b.election.leads || a.lost.length > 0) expect(a.clock.monotonic()).toBeGreaterThan(until);
    });
    expect([a.lost.length, b.election.leads]).toEqual([1, true]);
  });

  it.each([
    ['however seldom it asks', 4, 0],
    ['however often it asks, though the next answers take a second each', 0.5, 1000],
  ])('loses no Lease to one call that gets no answer, %s', async (_, retrySeconds, answerMilliseconds) => {
    const a = candidate('a', undefined, { timings: { leaseSeconds: 15, renewSeconds: 10, retrySeconds } });
    await pass(3.5);
    a.connection.requestMilliseconds = 3_600_000;
    await pass(1);
    a.connection.requestMilliseconds = 0;
    a.connection.answerMilliseconds = answerMilliseconds;
    await pass(20, () => expect(a.election.leads).toBe(true));
    expect(a.lost).toEqual([]);
  });

  it.each([1, 2, 3, 4])('loses no Lease to %d calls that get no answer, where the next one would', async (hanging) => {
    const a = candidate('a');
    await pass(3.5);
    a.connection.hanging = hanging;
    await pass(20, () => expect(a.election.leads).toBe(true));
    expect([a.connection.hanging, a.lost]).toEqual([0, []]);
  });

  it('asks at once again where none of its calls was answered in their time', async () => {
    const a = candidate('a');
    await pass(3.5);
    a.connection.hanging = 3;
    await pass(5);
    a.connection.answerMilliseconds = 1000;
    await pass(20, () => expect(a.election.leads).toBe(true));
    expect(a.lost).toEqual([]);
  });

  it.each(['update', 'create'] as const)(
    'knows by a read that it wrote the Lease, where the answer to its %s is lost',
    async (verb) => {
      if (verb === 'update') server.edit({ holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 4 });
      const connection = server.connect(new VirtualClock());
      const a = candidate('a', undefined, {
        [verb]: (...call: never[]) => {
          const write = (connection[verb] as (...call: never[]) => Promise<never>)(...call);
          return a.connection.hanging-- > 0 ? write.then(() => new Promise<never>(() => {})) : write;
        },
        hanging: 0,
      });
      a.connection.hanging = 1;
      await pass(2);
      expect(a.election.leads).toBe(true);
      await pass(20, () => expect(a.election.leads).toBe(true));
      expect([a.lost, server.spec?.leaseTransitions]).toEqual([[], verb === 'update' ? 5 : 0]);
    },
  );

  it('knows by a read that another took the Lease, where its own update was lost on its way', async () => {
    server.edit({ holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 4 });
    const connection = server.connect(new VirtualClock());
    let updates = 0;
    const update: typeof connection.update = (...call) => {
      if (updates++ > 0) return connection.update(...call);
      server.edit({ holderIdentity: 'b', leaseDurationSeconds: 15, leaseTransitions: 5 });
      return new Promise(() => {});
    };
    const a = candidate('a', undefined, { update });
    await pass(6, () => expect(a.election.leads).toBe(false));
    expect([updates, a.lost]).toEqual([2, []]);
    expect(a.lines.map(({ message }) => message)).toEqual(['Waiting to become leader']);
  });

  it('lets writes go on while one of two servers hangs, to which every second connection leads', async () => {
    let connections = 0;
    const connection = server.connect(new VirtualClock());
    const update: typeof connection.update = (...call) =>
      connections++ % 2 === 1 ? new Promise(() => {}) : connection.update(...call);
    const a = candidate('a', undefined, { update });
    await pass(3.5);
    await pass(60, () => expect(a.election.left).toBeGreaterThan(0));
    expect(connections).toBeGreaterThan(40);
    expect(a.lines.map(({ message }) => message)).toEqual(['Became leader']);
  });

  it('leads within 5 s of when the time of a leader is over, where two of its own calls get no answer', async () => {
    const a = candidate('a');
    await pass(5);
    const b = candidate('b');
    await pass(5);
    a.connection.isCut = true;
    a.stop();
    await pass(12.5);
    b.connection.hanging = 2;
    const renewedAt = Date.parse(server.spec?.renewTime ?? '');
    await pass((renewedAt + 15_000 - b.clock.now()) / 1000 + 5);
    expect([b.election.leads, b.connection.hanging]).toEqual([true, 0]);
  });

  it.each([
    ['5 s, by the usual timings', 5, undefined, false],
    ['3.4 s, by the usual timings', 3.4, undefined, true],
    ['5 s, by longer ones', 5, { leaseSeconds: 30, renewSeconds: 20, retrySeconds: 2 }, true],
  ])(
    'L-02: keeps the Lease while all calls take %s, and lets in each write that fits',
    async (_, takes, timings, fits) => {
      const faults = { requestMilliseconds: takes * 500, answerMilliseconds: takes * 500 };
      const a = candidate('a', undefined, { ...faults, ...(timings ? { timings } : {}) });
      const writes = { done: 0, failed: 0 };
      let isOver = false;
      const create = async (_kind: unknown, _manifest: unknown, { timeoutSeconds = 60 }: CallOptions) => {
        await sleep(a.clock, Math.min(takes, timeoutSeconds) * 1000);
        writes[takes <= timeoutSeconds ? 'done' : 'failed']++;
      };
      const cluster = leaderOnly({ create } as unknown as Cluster, a.election);
      await pass(takes * 5);
      expect(a.election.leads).toBe(true);
      // One after the other, each begun at another time since the renewal before.
      const writing = (async () => {
        for (let pause = 0; !isOver; pause = (pause + 700) % 4900) {
          await cluster.create({} as never, {} as never, {} as never);
          await sleep(a.clock, pause);
        }
      })();
      await pass(600, () => expect(a.election.leads).toBe(true));
      isOver = true;
      await pass(30);
      await writing;
      expect(a.lost).toEqual([]);
      expect(writes[fits ? 'done' : 'failed']).toBeGreaterThan(40);
      expect(writes[fits ? 'failed' : 'done']).toBe(0);
    },
  );

  it('counts the time of a lease that was slow to come by from when it was asked for', async () => {
    server.edit({ holderIdentity: '', leaseDurationSeconds: 1 });
    const a = candidate('a');
    a.connection.answerMilliseconds = 4500;
    await pass(9.5);
    expect(a.election.leads).toBe(true);
    a.connection.isCut = true;
    const b = candidate('b');
    await pass(30, () => expect(a.election.leads && b.election.leads).toBe(false));
    expect(b.election.leads).toBe(true);
    expect(a.lost).toHaveLength(1);
  });

  it('does not lead by an answer that came when the time was over, and then renews', async () => {
    server.edit({ holderIdentity: '', leaseDurationSeconds: 1 });
    const a = candidate('a', undefined, { isWatched: false });
    a.connection.beforeUpdate = () => a.clock.leap(30_000);
    await settled();
    expect([server.spec?.holderIdentity, a.election.leads]).toEqual(['a', false]);
    await pass(2.1);
    expect(a.election.leads).toBe(true);
  });

  it('tells how long its last renewal took, by which writes know whether there is time for one more', async () => {
    const a = candidate('a', undefined, { requestMilliseconds: 300, answerMilliseconds: 500 });
    await pass(10);
    expect(a.election.callMilliseconds).toBe(800);
    Object.assign(a.connection, { requestMilliseconds: 0, answerMilliseconds: 100 });
    await pass(10);
    expect(a.election.callMilliseconds).toBe(100);
  });

  it('survives calls that fail for less than the time it has', async () => {
    const a = candidate('a');
    await pass(5);
    a.connection.isCut = true;
    await pass(7);
    a.connection.isCut = false;
    await pass(60);
    expect([a.election.leads, a.lost]).toEqual([true, []]);
  });

  it.each([
    { standby: 2, leader: 1 },
    { standby: 1, leader: 0.5 },
    { standby: 0.5, leader: 1 },
    { standby: 1, leader: 2 },
  ])(
    'L-06: lets nobody write after another leads, at $leader times the rate of a clock for the leader and $standby for the standby',
    async ({ standby, leader }) => {
      const a = candidate('a', undefined, { rate: leader });
      await pass(5);
      const b = candidate('b', undefined, { rate: standby });
      await pass(60, () => expect([a.election.leads, b.election.leads]).toEqual([true, false]));
      a.connection.isCut = true;
      await pass(60, () => expect(Math.min(a.election.left, b.election.left)).toBe(0));
      expect([a.election.leads, b.election.leads]).toEqual([false, true]);
    },
  );

  it('lets writes wait, once they might reach into the time of another, for a renewal that comes', async () => {
    const a = candidate('a');
    await pass(5);
    a.connection.isCut = true;
    await pass(7);
    expect([a.election.leads, a.election.left]).toEqual([true, 0]);
    const renewed = a.election.renewed().then(() => a.election.left);
    a.connection.isCut = false;
    await pass(3);
    expect(await renewed).toBeGreaterThan(4000);
    expect(a.lost).toEqual([]);
  });

  it.each(['the Lease is lost', 'it was told to stop'])('lets no write wait after %s', async (why) => {
    const a = candidate('a');
    await pass(5);
    a.connection.isCut = true;
    await pass(7.5);
    const waiting = a.election.renewed();
    const refused = expect(waiting).rejects.toThrow('the Lease is not held any more');
    if (why === 'the Lease is lost') await pass(5);
    else a.stop();
    await refused;
    await expect(a.election.renewed()).rejects.toThrow('the Lease is not held any more');
  });

  it.each([
    ['another leads', 'Waiting to become leader', 1],
    ['it leads itself', 'Became leader', 0],
  ])('tells once why the Lease cannot be had, however long that lasts, and then that %s', async (_, then, others) => {
    server.edit({ holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 0 });
    const a = candidate('a', undefined, { isCut: true });
    await pass(20);
    for (let other = 0; other < others; other++) candidate('b');
    await pass(280);
    a.connection.isCut = false;
    await pass(20);
    const told = a.lines.filter(({ level }) => level !== 'debug').map(({ message }) => message);
    expect(told).toEqual(['Failed to acquire the Lease', then]);
  });

  it('tells again that another leads when it could not be seen meanwhile who does', async () => {
    candidate('a');
    await pass(5);
    const b = candidate('b');
    await pass(5);
    b.connection.isCut = true;
    await pass(20);
    b.connection.isCut = false;
    await pass(5);
    const told = b.lines.filter(({ level }) => level !== 'debug').map(({ message }) => message);
    expect(told).toEqual(['Waiting to become leader', 'Failed to acquire the Lease', 'Waiting to become leader']);
  });

  it('says what the last try failed by, of which its last line in the log would else say nothing', async () => {
    const a = candidate('a');
    await pass(5);
    a.connection.isCut = true;
    await pass(20);
    expect(a.lost).toEqual([expect.stringMatching(/^it was not renewed for 10 s: \S/)]);
  });

  it('does not say what a try failed by before the last renewal', async () => {
    const a = candidate('a');
    await pass(5);
    a.connection.isCut = true;
    await pass(7);
    a.connection.isCut = false;
    await pass(5);
    a.clock.leap(30_000);
    await pass(0.1);
    expect(a.lost).toEqual(['it was not renewed for 10 s']);
  });

  it('leads no longer, without waiting for anything, when its process was stopped for too long', async () => {
    const a = candidate('a');
    await pass(5);
    expect(a.election.leads).toBe(true);
    a.clock.leap(30_000);
    expect(a.election.leads).toBe(false);
    await pass(0.1);
    expect(a.lost).toEqual(['it was not renewed for 10 s']);
    expect(server.spec?.renewTime).toBe('2026-01-01T00:00:04.000000Z');
  });

  it.each([
    ['L-07: has lost at once when another holds the Lease by force', true, 0],
    ['L-07: has lost at its next look when another holds by force a Lease that it may not watch', false, 2],
  ])('%s', async (_, isWatched, seconds) => {
    const a = candidate('a', undefined, { isWatched });
    await pass(5);
    server.edit({ holderIdentity: 'admin' });
    await pass(seconds);
    expect([a.election.leads, a.lost]).toEqual([false, ['"admin" holds it']]);
  });

  it.each([
    ['that it has, where that was taken back', 'a', []],
    ['who has it', 'admin', ['"admin" holds it']],
  ])('writes nothing from when it hears that another holds the Lease until it has read %s', async (_, then, lost) => {
    const a = candidate('a');
    await pass(5);
    a.connection.requestMilliseconds = 1500;
    server.edit({ holderIdentity: 'admin' });
    await pass(1);
    expect([a.election.leads, a.election.left, a.lost]).toEqual([true, 0, []]);
    const time = a.election.renewed().then(
      () => a.election.left > 0,
      () => false,
    );
    server.edit({ holderIdentity: then });
    await pass(4);
    expect([await time, a.lost]).toEqual([then === 'a', lost]);
  });

  it('stays leader when somebody edits the Lease between its read and its write', async () => {
    const a = candidate('a');
    await pass(5);
    a.connection.beforeUpdate = () => server.edit({});
    await pass(30);
    expect([a.election.leads, a.lost]).toEqual([true, []]);
  });

  it('does not take a renewal that met a conflict for one', async () => {
    const [a, b] = [candidate('a'), candidate('b')];
    await pass(5);
    const again = () => {
      server.edit({});
      a.connection.beforeUpdate = again;
    };
    again();
    await pass(60, () => expect(a.election.leads && b.election.leads).toBe(false));
    expect(a.lost).toHaveLength(1);
  });

  it('takes the Lease of its life before at once', async () => {
    const before = candidate('a');
    await pass(5);
    before.connection.isCut = true;
    before.stop();
    const after = candidate('a', '2025-01-01T00:00:00Z');
    await pass(0.1);
    expect(after.election.leads).toBe(true);
    await pass(60, () => expect(after.election.leads).toBe(true));
    expect(server.spec).toMatchObject({ acquireTime: '2025-01-01T00:00:00.000000Z', leaseTransitions: 1 });
  });

  it.each([
    ['that start together', 0, true],
    ['of which one starts later', 5, true],
    ['of which one starts later and none may watch', 5, false],
  ])('lets one of two lead that have the same name, %s', async (_, seconds, isWatched) => {
    const first = candidate('a', undefined, { isWatched });
    await pass(seconds);
    const second = candidate('a', undefined, { isWatched });
    await pass(2.2);
    await pass(60, () => expect([first.election.leads, second.election.leads]).toEqual([false, true]));
    expect([first.lost, second.lost]).toEqual([['another process that is named "a" holds it'], []]);
    await first.election.release();
    expect(server.spec?.holderIdentity).toBe('a');
  });

  it.each([
    ['that is free', ''],
    ['of its life before', 'a'],
  ])('takes a Lease %s, though somebody touches it between its read and its write', async (_, holderIdentity) => {
    server.edit({ holderIdentity, leaseDurationSeconds: 15, leaseTransitions: 4 });
    const a = candidate('a', undefined, { beforeUpdate: () => server.edit({}) });
    await pass(3);
    expect([a.election.leads, server.spec]).toEqual([
      true,
      expect.objectContaining({ holderIdentity: 'a', leaseTransitions: 5 }),
    ]);
    expect(a.lines.map(({ message }) => message)).toEqual(['Failed to acquire the Lease', 'Became leader']);
  });

  it('lets one of two lead that have the same name, when the Lease of the one was deleted', async () => {
    const first = candidate('a');
    await pass(5);
    first.connection.isCut = true;
    server.remove();
    const second = candidate('a', '2025-01-01T00:00:00Z');
    await pass(1);
    first.connection.isCut = false;
    await pass(10);
    expect([first.lost, second.lost]).toEqual([['another process that is named "a" holds it'], []]);
  });

  it.each(['answer', 'request'] as const)(
    "takes a renewal of its own whose %s was lost for no other's",
    async (lost) => {
      const a = candidate('a');
      await pass(5);
      a.connection[`${lost}Milliseconds`] = 3_600_000;
      await pass(2);
      a.connection[`${lost}Milliseconds`] = 0;
      await pass(60, () => expect(a.election.leads).toBe(true));
      expect([a.lost, server.spec?.leaseTransitions]).toEqual([[], 0]);
    },
  );

  it('makes the Lease again when it was deleted', async () => {
    const a = candidate('a');
    await pass(5);
    server.remove();
    await pass(5);
    expect(a.lost).toEqual([]);
    expect(server.spec?.holderIdentity).toBe('a');
  });

  it('gives the Lease back, and lets a standby in without waiting for it to expire', async () => {
    const [a, b] = [candidate('a'), candidate('b')];
    await pass(5);
    a.stop();
    await a.running;
    await a.election.release();
    expect([a.election.leads, server.spec?.holderIdentity, a.lost]).toEqual([false, '', []]);
    await settled();
    expect(b.election.leads).toBe(true);
  });

  it('watches the Lease once, however often it is asked to follow it', async () => {
    const a = candidate('a');
    a.election.follow(new AbortController().signal);
    await pass(1);
    expect(server.watches).toBe(1);
  });

  it('L-08: reads a Lease that it may not watch every few seconds', async () => {
    const a = candidate('a');
    await pass(5);
    const b = candidate('b', undefined, { isWatched: false });
    await pass(5);
    a.stop();
    await a.running;
    await a.election.release();
    await pass(2.1);
    expect(b.election.leads).toBe(true);
  });

  // It looks every two seconds by itself: in the moment when that time is over, and just before.
  it.each([5, 4.8])(
    'L-04: leads within a second of when the time of a leader is over that died, from %d s on',
    async (from) => {
      const a = candidate('a');
      await pass(from);
      const b = candidate('b');
      await pass(5);
      const renewedAt = Date.parse(server.spec?.renewTime ?? '');
      a.connection.isCut = true;
      a.stop();
      const left = renewedAt + 15_000 - a.clock.now();
      await pass((left - 2 * step) / 1000);
      expect(b.election.leads).toBe(false);
      await pass(1);
      expect(b.election.leads).toBe(true);
    },
  );

  it.each([
    ['took it', () => server.edit({ holderIdentity: '', leaseDurationSeconds: 1 })],
    ['made it', () => {}],
  ])('gives back a Lease of which it never heard that it has it, since it %s', async (_, begin) => {
    begin();
    const a = candidate('a');
    a.connection.answerMilliseconds = 4500;
    await pass(5);
    expect([server.spec?.holderIdentity, a.election.leads]).toEqual(['a', false]);
    a.stop();
    a.connection.answerMilliseconds = 0;
    await a.running;
    await a.election.release();
    expect(server.spec?.holderIdentity).toBe('');
  });

  it('gives back a Lease that somebody only touched meanwhile, for a second', async () => {
    const a = candidate('a');
    await pass(5);
    a.stop();
    await a.running;
    a.connection.beforeUpdate = () => server.edit({});
    await a.election.release();
    expect(server.spec).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 });
  });

  it('takes no Lease for missing that it cannot read', async () => {
    const refuse = async () => {
      throw new TransportError('500');
    };
    const a = candidate('a', undefined, { get: refuse });
    await pass(20);
    expect([a.election.leads, server.spec]).toEqual([false, undefined]);
  });

  it('gives back nothing that another holds', async () => {
    const a = candidate('a');
    await pass(5);
    a.stop();
    server.edit({ holderIdentity: 'b' });
    await a.election.release();
    expect(server.spec?.holderIdentity).toBe('b');
    expect(a.lines.map(({ message }) => message)).not.toContain('Released the Lease');
  });

  it('stops standing when it is told to, and leaves no timer behind', async () => {
    const a = candidate('a');
    await pass(1);
    const b = candidate('b');
    await pass(1);
    for (const { stop, running, clock } of [a, b]) {
      stop();
      await running;
      expect(clock.timers).toBe(0);
    }
  });
});
