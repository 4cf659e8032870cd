import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap, EventsEvent } from '../../../imports/k8s.js';
import { customResource, operator, s } from '../../../src/index.js';
import { StatusFights } from '../../../src/runtime/status/status-fights.js';
import { startCluster, type TestCluster } from '../../../src/testing/index.js';
import { configMap } from '../an-object.js';

const Note = customResource({
  group: 'x.example.com',
  version: 'v1',
  kind: 'Note',
  spec: s.object({ text: s.string({ default: 'ours' }) }),
  status: s.object({ text: s.string() }),
});
const notes = operator(Note, {
  owns: [ConfigMap],
  compose: (scope, { spec }) => ({ paper: new ConfigMap(scope, 'paper', { data: { text: spec.text } }) }),
  status: ({ paper }) => ({ text: paper?.data?.['text'] ?? '' }),
});
const note = (spec = {}) => ({ apiVersion: Note.apiVersion, kind: Note.kind, metadata: { name: 'a' }, spec });

describe('a status that is fought over', () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startCluster();
    await cluster.run(notes);
    await cluster.apply(note());
    await cluster.settled();
  });
  afterEach(() => cluster.stop());

  const text = async () => (await cluster.get(Note, 'a')).status?.text;
  /** The rival says what it has to say unless that stands there, every so many seconds. Returns how often we said ours. */
  const fightFor = async (
    seconds: number,
    { every = 0.05, manager = 'rival', says = { text: 'theirs' } as object } = {},
  ) => {
    const before = cluster.writes().length;
    for (let passed = 0; passed < seconds; passed += every) {
      if ((await text()) === 'ours')
        await cluster.patch(Note, 'a', { status: says }, { manager, subresource: 'status' });
      await cluster.advance(every);
    }
    return cluster.writes(before).filter(({ kind }) => kind === 'Note').length;
  };
  const fights = async () =>
    (await cluster.list(EventsEvent))
      .filter(({ reason }) => reason === 'FightDetected')
      .map((event) => (event as { note?: string }).note);

  it.each(['rival', 'note'])('by %s is put back less and less often', async (manager) => {
    expect(await fightFor(10, { manager })).toBeLessThanOrEqual(6);
    expect(await fightFor(3600, { manager, every: 1 })).toBeLessThanOrEqual(20);
  });

  it('is told of once, with the rival', async () => {
    await fightFor(60);
    await cluster.advance(60);
    expect(await fights()).toEqual([
      'status: we write it, and so does "rival"; it is put back less and less often from now on',
    ]);
  });

  it('with another process of the same operator is told of as such', async () => {
    await fightFor(60, { manager: notes.name });
    await cluster.advance(60);
    expect(await fights()).toEqual([
      'status: we write it, and so does somebody under our own name; it is put back less and less often from now on',
    ]);
  });

  it('is as we say soon after the rival stops, and stays so without a write', async () => {
    await fightFor(10);
    await cluster.advance(10);
    expect(await text()).toBe('ours');
    const before = cluster.writes().length;
    await cluster.advance(3600);
    expect(cluster.writes(before)).toEqual([]);
  });

  it('says at once what is new', async () => {
    await fightFor(600);
    expect(await text()).toBe('theirs');
    await cluster.apply(note({ text: 'new' }));
    await cluster.advance(0);
    expect(await text()).toBe('new');
    expect((await cluster.get(Note, 'a')).status?.observedGeneration).toBe(2);
  });

  it('keeps no child from being put back at once', async () => {
    await fightFor(600);
    await cluster.patch(ConfigMap, 'a-paper', { data: { text: 'x' } }, { manager: 'other' });
    await cluster.advance(0);
    expect((await cluster.get(ConfigMap, 'a-paper')).data).toEqual({ text: 'ours' });
  });

  it.each<[string, number, object]>([
    ['now and then, every two minutes', 120, { text: 'theirs' }],
    ['as a whole, every two minutes', 120, { text: null, conditions: null, observedGeneration: null }],
  ])('is not one that is changed %s: it is put back at once each time', async (_, every, says) => {
    for (let times = 0; times < 20; times++) {
      await cluster.patch(Note, 'a', { status: says }, { manager: 'rival', subresource: 'status' });
      await cluster.advance(0);
      expect(await text()).toBe('ours');
      await cluster.advance(every);
    }
    expect(await fights()).toEqual([]);
  });

  it('is not one of a custom resource that is created anew', async () => {
    for (let times = 0; times < 5; times++) {
      await cluster.delete(Note, 'a');
      await cluster.apply(note());
      await cluster.advance(0);
      expect(await text()).toBe('ours');
    }
    expect(await fights()).toEqual([]);
  });
});

describe('a status in a map of which somebody has a key of his own', () => {
  const Book = customResource({
    group: 'x.example.com',
    version: 'v1',
    kind: 'Book',
    spec: s.object({}),
    status: s.object({ pages: s.map(s.string()) }),
  });
  const books = operator(Book, {
    owns: [ConfigMap],
    compose: (scope) => ({ paper: new ConfigMap(scope, 'paper', { data: { first: 'one' } }) }),
    status: ({ paper }) => ({ pages: { first: paper?.data?.['first'] ?? '' } }),
  });

  it('is said once more, and no longer in each round', async () => {
    const cluster = await startCluster();
    await cluster.run(books);
    await cluster.apply({ apiVersion: Book.apiVersion, kind: Book.kind, metadata: { name: 'a' }, spec: {} });
    await cluster.settled();
    const his = (text: string) =>
      cluster.patch(Book, 'a', { status: { pages: { his: text } } }, { manager: 'rival', subresource: 'status' });
    const pages = async () => (await cluster.get(Book, 'a')).status?.pages;
    await his('two');
    await cluster.settled();
    const before = cluster.writes().length;
    for (let times = 0; times < 5; times++) {
      await cluster.patch(
        ConfigMap,
        'a-paper',
        { metadata: { annotations: { at: `${times}` } } },
        { manager: 'rival' },
      );
      await cluster.advance(0);
    }
    expect(cluster.writes(before).filter(({ kind }) => kind === 'Book')).toEqual([]);
    expect((await cluster.list(EventsEvent)).filter(({ reason }) => reason === 'FightDetected')).toEqual([]);
    expect(await pages()).toEqual({ first: 'one', his: 'two' });

    await cluster.patch(
      Book,
      'a',
      { status: { pages: { first: 'his' } } },
      { manager: 'rival', subresource: 'status' },
    );
    await cluster.settled();
    expect(await pages()).toEqual({ first: 'one', his: 'two' });
    await cluster.stop();
  });
});

describe('what is said of a custom resource again and again', () => {
  const cr = configMap('a', 1);
  const status = { ...cr, status: { text: 'ours', conditions: [] } };
  /** Milliseconds for which each of so many is put off, the rival writing over it at once. */
  const delays = (count: number, patience = 0) => {
    const fights = new StatusFights();
    let now = 0;
    return Array.from({ length: count }, () => {
      const until = fights.heldUntil('a', cr, status, now) ?? now;
      const delay = until - now;
      now = until + patience;
      fights.said('a', cr, status, now);
      return delay;
    });
  };

  it('waits from the fourth time on, for a second, then twice as long each time, up to five minutes', () => {
    expect(delays(14).map((each) => each / 1000)).toEqual([0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
  });

  it('does not wait where a minute passes in between', () => {
    expect(delays(6, 60_000)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(delays(6, 30_000)).toEqual([0, 0, 0, 1000, 2000, 4000]);
  });
});
