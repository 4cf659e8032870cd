import { describe, expect, it } from '@jest/globals';
import { Event } from '../../imports/k8s.js';
import { EmbeddedServer } from '../../src/embedded/embedded-server.js';
import { VirtualClock } from '../../src/testing/virtual-clock.js';

const write = { fieldManager: 'test' };
const minute = 60_000;

function eventOf(name: string, more: object = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace: 'default', ...more },
    involvedObject: { kind: 'Pod', namespace: 'default', name: 'web' },
    message: 'first',
  };
}

function started(clock = new VirtualClock(), state?: ConstructorParameters<typeof EmbeddedServer>[0]) {
  const server = new EmbeddedServer({ clock, controllers: false, ...state });
  const cluster = server.cluster();
  return {
    clock,
    server,
    cluster,
    create: (name: string, more?: object) => cluster.create(Event, eventOf(name, more), write),
    say: (name: string, message: string) =>
      cluster.patch(Event, { namespace: 'default', name }, { type: 'merge', body: { message } }, write),
    names: async () => (await cluster.list(Event)).items.map(({ metadata }) => metadata.name),
  };
}

describe('an Event', () => {
  it('goes an hour after it was made, at most a minute later', async () => {
    const { clock, create, names, server } = started();
    await create('a');
    await clock.advance(60 * minute - 1);
    expect(await names()).toEqual(['a']);
    await clock.advance(minute + 1);
    expect(await names()).toEqual([]);
    expect(clock.timers).toBe(0);
    server.stop();
  });

  it('stays for another hour when it is written again, and no longer when that changed nothing', async () => {
    const { clock, create, say, names } = started();
    await create('silent');
    await create('again');
    await clock.advance(40 * minute);
    await say('again', 'second');
    await say('silent', 'first');
    await clock.advance(25 * minute);
    expect(await names()).toEqual(['again']);
    await clock.advance(36 * minute);
    expect(await names()).toEqual([]);
  });

  it('goes even when a finalizer would hold it, and its name is free then', async () => {
    const { clock, create, names } = started();
    await create('held', { finalizers: ['example.com/hold'] });
    await clock.advance(61 * minute);
    expect(await names()).toEqual([]);
    await create('held');
    await clock.advance(40 * minute);
    expect(await names()).toEqual(['held']);
  });

  it('is deleted for those who watch, under a version of its own', async () => {
    const { clock, create, server } = started();
    const { metadata } = await create('a');
    const told: string[] = [];
    server.store.listenTo('events', ({ type, object }) => told.push(`${type} ${object.metadata.resourceVersion}`));
    await clock.advance(61 * minute);
    expect(told).toEqual([`DELETED ${Number(metadata.resourceVersion) + 1}`]);
  });

  it('is as old as it was after a restart', async () => {
    const first = started();
    await first.create('old');
    await first.clock.advance(50 * minute);
    await first.create('young');
    first.server.stop();
    const objects = first.server.store.list('events').map((object) => ['events', object] as const);
    const state = { revision: first.server.store.revision, objects };

    const second = started(new VirtualClock(first.clock.now() + 5 * minute), { state });
    await second.clock.advance(4 * minute);
    expect(await second.names()).toEqual(['old', 'young']);
    await second.clock.advance(2 * minute);
    expect(await second.names()).toEqual(['young']);
    await second.clock.advance(50 * minute);
    expect(await second.names()).toEqual([]);
  });

  it('is one of as many as an hour brings, however long the cluster stays up', async () => {
    const { clock, create, names, server } = started();
    for (let count = 0; count < 24 * 60; count++) {
      await create(`event-${count}`);
      await clock.advance(minute);
    }
    expect((await names()).length).toBeGreaterThanOrEqual(60);
    expect((await names()).length).toBeLessThanOrEqual(61);
    server.stop();
    expect(clock.timers).toBe(0);
  });
});
