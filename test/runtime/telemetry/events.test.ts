/** Longer than most files: one event, told by whatever may become of it. */
import { describe, expect, it } from '@jest/globals';
import {
  AlreadyExistsError,
  ForbiddenError,
  NotFoundError,
  RetryAfterError,
  type Status,
  TransportError,
  UnauthorizedError,
} from '../../../src/client/api-error.js';
import type { Cluster } from '../../../src/client/cluster.js';
import { eventRules } from '../../../src/embedded/rules/event-rules.js';
import type { KubeObject, Manifest } from '../../../src/kube/manifest.js';
import { Aside } from '../../../src/runtime/queue/aside.js';
import { recordEvents } from '../../../src/runtime/telemetry/events.js';
import { LineLog, type LogLine } from '../../../src/testing/line-log.js';
import { VirtualClock } from '../../../src/testing/virtual-clock.js';
import { configMap } from '../an-object.js';

interface EventSeen extends Manifest {
  readonly reason: string;
  readonly note: string;
  readonly series?: { readonly count: number };
}

function stage(instance = 'us-0') {
  const clock = new VirtualClock();
  /** By name. */
  const there = new Map<string, EventSeen>();
  const written: string[] = [];
  const server = {
    /** What every call is answered. */
    refusal: undefined as Error | undefined,
    losesAnswers: false,
  };
  const work = { idleSince: 0 as number | undefined };
  const cluster = {
    create: async (_: unknown, event: EventSeen) => {
      if (server.refusal) throw server.refusal;
      if (there.has(event.metadata.name))
        throw new AlreadyExistsError(`events "${event.metadata.name}" already exists`);
      const [problem] = eventRules.validate?.(event as never, {} as never, []) ?? [];
      if (problem) throw new Error(problem.message);
      there.set(event.metadata.name, event);
      written.push(event.note);
      if (server.losesAnswers) throw new TransportError('connection reset');
    },
    patch: async (_: unknown, { name }: { name: string }, { body }: { body: Pick<EventSeen, 'series'> }) => {
      const event = there.get(name);
      if (!event) throw new NotFoundError(`events "${name}" not found`);
      there.set(name, { ...event, ...body });
      written.push(`up to ${body.series?.count}`);
    },
  } as unknown as Cluster;
  const aside = new Aside({ clock, idleSince: () => work.idleSince });
  const lines: LogLine[] = [];
  const log = new LineLog(lines, clock);
  const events = recordEvents({ cluster, clock, log, aside, controller: 'example.com/us', instance });
  const about: KubeObject = configMap('a', 1);
  const warn = async (note: string) => {
    events.warn(about, 'ApplyFailed', note);
    await clock.advance(1000);
  };
  const seen = () => [...there.values()].map(({ note, series }) => `${note} × ${series?.count ?? 1}`);
  return { clock, there, written, server, work, aside, events, warn, seen, lines };
}

it('many events of one reason with other notes each are counted up on one, until they become rare', async () => {
  const { clock, written, warn } = stage();
  for (let index = 1; index <= 13; index++) await warn(`port ${index}`);
  const ten = Array.from({ length: 10 }, (_, index) => `port ${index + 1}`);
  expect(written).toEqual([...ten, '(combined from similar events): port 11', 'up to 2', 'up to 3']);

  await clock.advance(600_000);
  await warn('port 14');
  expect(written.at(-1)).toBe('port 14');
});

it('of a storm that lasts for hours in ever new words all are counted up on one event', async () => {
  const { clock, there, warn } = stage();
  for (let index = 1; index <= 200; index++) {
    await warn(`port ${index}`);
    await clock.advance(75_000);
  }
  expect(there.size).toBe(11);
});

it('what goes on happening is counted up on one event, and is another once nothing was heard of it for long', async () => {
  const { clock, seen, warn } = stage();
  for (let times = 0; times < 4; times++) {
    await warn('no room');
    if (times === 0) await warn('no rights');
    if (times < 3) await clock.advance(5 * 60_000);
  }
  await warn('no rights');
  expect(seen()).toEqual(['no room × 4', 'no rights × 1', 'no rights × 1']);
  await clock.advance(7 * 60_000);
  await warn('no room');
  expect(seen().at(-1)).toBe('no room × 1');
});

describe('a long event', () => {
  it.each([
    ['of plain letters', 'x'.repeat(1100)],
    ['with arrows', 'spec.replicas 3 → 9, '.repeat(60)],
    ['of fewer characters than bytes', '→'.repeat(600)],
    ['with a surrogate pair at the end', `${'x'.repeat(1019)}${'😀'.repeat(9)}`],
  ])('%s is cut to what the API server takes, alone and combined', async (_, text) => {
    const { there, warn } = stage();
    for (let index = 10; index < 21; index++) await warn(`${index} ${text}`);
    const all = [...there.values()];
    expect(all).toHaveLength(11);
    expect(all.at(-1)?.note).toMatch(/^\(combined from similar events\): 20 /);
    for (const event of all) {
      expect(event.note).toMatch(/…$/);
      expect(event.note).not.toMatch(/\p{Surrogate}/u);
      expect(Buffer.byteLength(event.note)).toBeGreaterThan(1024 - 4);
    }
  });

  it('of an object with the longest name has a name that is one', async () => {
    const { events, clock, there } = stage();
    events.warn(configMap(`${'a'.repeat(198)}.-b${'c'.repeat(40)}`, 1), 'ApplyFailed', 'no');
    await clock.advance(1000);
    expect([...there.keys()]).toEqual([expect.stringMatching(/^a{198}\.[0-9a-f]+$/)]);
  });

  it('for a reason as long as a condition may have it is told', async () => {
    const { events, clock, there } = stage();
    events.warn(configMap('a', 1), 'R'.repeat(200), 'no');
    await clock.advance(1000);
    expect([...there.values()].map(({ reason }) => reason)).toEqual(['R'.repeat(128)]);
  });

  it('of 1024 bytes is told as it is', async () => {
    const { seen, warn } = stage();
    await warn('x'.repeat(1024));
    expect(seen()).toEqual([`${'x'.repeat(1024)} × 1`]);
  });
});

describe('an event that could not be written', () => {
  it.each([
    ['the connection broke', new TransportError('connection reset')],
    ['the server asked to wait', new RetryAfterError('429', 20)],
    ['the server did not know us', new UnauthorizedError('401')],
  ])('since %s is written a while later, and keeps no other waiting', async (_, refusal) => {
    const { clock, server, warn, seen } = stage();
    server.refusal = refusal;
    await warn('port 1');
    server.refusal = undefined;
    await warn('port 2');
    await clock.advance(60_000);
    expect(seen()).toEqual(['port 2 × 1', 'port 1 × 1']);
  });

  it('since the server asked to wait is written no sooner', async () => {
    const { clock, server, warn, seen } = stage();
    server.refusal = new RetryAfterError('429', 20);
    await warn('port 1');
    server.refusal = undefined;
    await clock.advance(18_000);
    expect(seen()).toEqual([]);
    await clock.advance(2000);
    expect(seen()).toEqual(['port 1 × 1']);
  });

  it('is written after minutes in which nothing could be', async () => {
    const { clock, server, warn, seen } = stage();
    server.refusal = new TransportError('503');
    await warn('port 1');
    await clock.advance(4 * 60_000);
    server.refusal = undefined;
    await clock.advance(60_000);
    expect(seen()).toEqual(['port 1 × 1']);
  });

  it.each([
    ['since it is refused for good', new ForbiddenError('no'), 0],
    ['for an hour', new TransportError('503'), 3600_000],
  ])('%s is given up', async (_, refusal, milliseconds) => {
    const { clock, server, warn, seen } = stage();
    server.refusal = refusal;
    await warn('port 1');
    await clock.advance(milliseconds);
    server.refusal = undefined;
    expect(clock.timers).toBe(0);
    await clock.advance(3600_000);
    expect(seen()).toEqual([]);
  });

  const refused = (code: number, causes: Status['details'] = {}) =>
    new ForbiddenError('no', { status: { code, details: causes } });

  it('since it is refused is told in the log, and seldom', async () => {
    const { clock, server, warn, lines } = stage();
    const warnings = () => lines.filter(({ level }) => level === 'warn').map(({ message }) => message);
    server.refusal = refused(403);
    for (let port = 0; port < 30; port++) await warn(`port ${port}`);
    expect(warnings()).toEqual(['Failed to write an event']);
    await clock.advance(60_000);
    await warn('port 31');
    expect(warnings()).toEqual(['Failed to write an event', 'Failed to write an event']);
  });

  it.each([
    ['its namespace ends', refused(403, { causes: [{ reason: 'NamespaceTerminating' }] })],
    ['its namespace has gone', new NotFoundError('namespaces "a" not found', { status: { code: 404 } })],
    ['nothing was heard', new TransportError('connection reset')],
  ])('since %s is nothing that somebody has to mend', async (_, refusal) => {
    const { server, warn, lines } = stage();
    server.refusal = refusal;
    await warn('port 1');
    expect(lines.map(({ level }) => level)).toEqual(['debug']);
  });

  it('as far as is known is there once, with all that happened meanwhile', async () => {
    const { clock, server, warn, seen } = stage();
    server.losesAnswers = true;
    await warn('port 1');
    await warn('port 1');
    server.losesAnswers = false;
    await clock.advance(60_000);
    await warn('port 1');
    expect(seen()).toEqual(['port 1 × 3']);
  });

  it('since the one before expired, and its answer was lost, is there once', async () => {
    const { clock, there, server, warn, seen } = stage();
    await warn('port 1');
    there.clear();
    server.losesAnswers = true;
    await warn('port 1');
    await clock.advance(60_000);
    expect(seen()).toEqual(['port 1 × 2']);
  });
});

describe('a repetition', () => {
  it('of an event that could not be written is written, and counts both', async () => {
    const { server, warn, seen } = stage();
    server.refusal = new ForbiddenError('no');
    await warn('port 1');
    expect(seen()).toEqual([]);
    server.refusal = undefined;
    await warn('port 1');
    await warn('port 1');
    expect(seen()).toEqual(['port 1 × 3']);
  });

  it('of an event that was left out, since too much waited, is written, and counts both', async () => {
    const { clock, work, aside, warn, seen } = stage();
    work.idleSince = undefined;
    // Of its own namespace, for another would give way.
    while (aside.add(async () => undefined, { group: 'prod' }));
    await warn('port 1');
    work.idleSince = 0;
    await clock.advance(60_000);
    expect(seen()).toEqual([]);
    await warn('port 1');
    expect(seen()).toEqual(['port 1 × 2']);
  });

  it('of an event that expired is an event again, with the count so far', async () => {
    const { there, warn, seen } = stage();
    await warn('port 1');
    await warn('port 1');
    there.clear();
    await warn('port 1');
    await warn('port 1');
    expect(seen()).toEqual(['port 1 × 4']);
  });

  it('that waits with the first is told with it, in one write', async () => {
    const { clock, work, warn, written, seen } = stage();
    work.idleSince = undefined;
    await warn('port 1');
    await warn('port 1');
    work.idleSince = 0;
    await clock.advance(60_000);
    expect(seen()).toEqual(['port 1 × 2']);
    expect(written).toEqual(['port 1']);
  });
});

it('an event tells of what, by whom, in which pod and under which kind of news it is told', async () => {
  const { clock, there, events } = stage();
  events.normal(configMap('a', 1), 'DriftCorrected', 'put back');
  events.warn(configMap('b', 7), 'ApplyFailed', 'refused');
  await clock.advance(1000);
  const told = [...there.values()].map(({ metadata: { namespace }, series, eventTime: _, ...event }) => ({
    namespace,
    ...event,
  }));
  const common = {
    namespace: 'prod',
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    action: 'Reconcile',
    reportingController: 'example.com/us',
    reportingInstance: 'us-0',
  };
  const regarding = (name: string, resourceVersion: string) => {
    return { apiVersion: 'v1', kind: 'ConfigMap', name, namespace: 'prod', uid: `uid-${name}`, resourceVersion };
  };
  expect(told).toEqual([
    { ...common, type: 'Normal', reason: 'DriftCorrected', note: 'put back', regarding: regarding('a', '1') },
    { ...common, type: 'Warning', reason: 'ApplyFailed', note: 'refused', regarding: regarding('b', '7') },
  ]);
});

it('are written by a Pod whose name is longer than they may have it', async () => {
  const { clock, there, warn } = stage('x'.repeat(253));
  await warn('refused');
  await clock.advance(1000);
  expect([...there.values()].map(({ note }) => note)).toEqual(['refused']);
});
