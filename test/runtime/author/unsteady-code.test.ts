import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap, Deployment, EventsEvent } from '../../../imports/k8s.js';
import { customResource, type KubeObject, many, one, operator, s } from '../../../src/index.js';
import { startCluster, type TestCluster } from '../../../src/testing/index.js';
import { conditionIn } from '../../condition-in.js';

const Note = customResource({
  group: 'unsteady.example.com',
  version: 'v1',
  kind: 'Note',
  spec: s.object({
    does: s.enum([
      'count on itself',
      'tell the time',
      'give names by chance',
      'follow its names',
      'roll out by chance',
    ]),
    most: s.int32({ default: 1_000_000 }),
  }),
});
const labels = { app: 'note' };

/** Whose author has not read that compose is pure. */
let chance = 0;
const note = operator(Note, {
  owns: [ConfigMap, Deployment],
  reads: {
    count: one(ConfigMap, (cr) => ({ name: `${cr.metadata.name}-count` })),
    page: one(ConfigMap, () => ({ name: 'page' })),
    servers: many(Deployment, () => ({ labels: { of: 'note' } })),
  },
  compose(scope, { spec: { does, most } }, { count, page, servers }) {
    const by = String(++chance);
    const next = Math.min(Number(count?.data?.['count'] ?? 0) + 1, most);
    const data = { count: String(next), page: page?.data?.['text'] ?? '' };
    if (does === 'count on itself') new ConfigMap(scope, 'count', { data });
    if (does === 'tell the time') new ConfigMap(scope, 'time', { data: { 'it.is': by, page: data.page } });
    if (does === 'give names by chance') new ConfigMap(scope, `by-${by}`, { data: { fixed: '1' } });
    if (does === 'follow its names') {
      const last = Math.max(0, ...servers.map(({ metadata }) => Number(metadata.name.split('-').at(-1))));
      const template = { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a:1' }] } };
      new Deployment(scope, `${last + 1}`, {
        metadata: { labels: { of: 'note' } },
        spec: { selector: { matchLabels: labels }, template },
      });
    }
    if (does === 'roll out by chance') {
      const template = {
        metadata: { labels, annotations: { by } },
        spec: { containers: [{ name: 'a', image: 'a:1' }] },
      };
      new Deployment(scope, 'server', { spec: { selector: { matchLabels: labels }, template } });
    }
  },
});
type Does = Parameters<typeof note.desired>[0]['spec']['does'];

const asked = (does: Does, most?: number, annotations = {}) => ({
  apiVersion: Note.apiVersion,
  kind: Note.kind,
  metadata: { name: 'a', annotations },
  spec: { does, ...(most === undefined ? {} : { most }) },
});

describe('an operator that composes something else each time', () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startCluster();
    await cluster.run(note);
  });
  afterEach(() => cluster.stop());

  const ofChildren = (since = 0) =>
    cluster.writes(since).filter(({ kind }) => kind === 'ConfigMap' || kind === 'Deployment').length;
  const ready = async () => conditionIn(await cluster.get(Note, 'a'));
  const warnings = async () =>
    ((await cluster.list(EventsEvent)) as readonly (KubeObject & { type?: string; note?: string })[]).flatMap(
      ({ type, note = '' }) => (type === 'Warning' ? [note] : []),
    );
  /** A first look, and a second one, by which it comes to write what is there already. */
  const begin = async (does: Does) => {
    await cluster.apply(asked(does));
    await cluster.advance(1);
    await cluster.apply(asked(does, undefined, { touched: 'yes' }));
  };

  it.each<[Does, string]>([
    ['count on itself', 'ConfigMap/default/a-count data.count'],
    ['tell the time', 'ConfigMap/default/a-time data["it.is"]'],
    ['give names by chance', 'ConfigMap metadata.name'],
    ['roll out by chance', 'Deployment/default/a-server spec.template.metadata.annotations.by'],
  ])('to %s is slowed down, and told where it differs', async (does, place) => {
    await begin(does);
    await cluster.advance(10);
    const first = ofChildren();
    expect(first).toBeLessThan(30);
    await cluster.advance(3600);
    expect(ofChildren(first)).toBeLessThan(30);

    expect(await ready()).toMatchObject({
      status: 'False',
      reason: 'RenderUnsteady',
      message: expect.stringMatching(/^compose gives something else each time, though nothing has changed/),
    });
    expect((await ready())?.message).toContain(place);
    expect(await warnings()).toHaveLength(1);
  });

  it('is slowed down also where each child is another, of which its own controller tells', async () => {
    await cluster.apply(asked('follow its names'));
    await cluster.advance(10);
    const first = ofChildren();
    expect(first).toBeLessThan(30);
    await cluster.advance(3600);
    expect(ofChildren(first)).toBeLessThan(30);
    expect(await ready()).toMatchObject({
      reason: 'RenderUnsteady',
      message: expect.stringContaining('last in Deployment metadata.name') as unknown,
    });
  });

  it('keeps to what was composed last meanwhile: drift is put back, and a new input taken up at once', async () => {
    await begin('tell the time');
    await cluster.advance(5);
    const kept = (await cluster.get(ConfigMap, 'a-time')).data;
    await cluster.patch(ConfigMap, 'a-time', { data: { 'it.is': 'torn' } }, { manager: 'other' });
    await cluster.advance(1);
    expect((await cluster.get(ConfigMap, 'a-time')).data).toEqual(kept);

    await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'page' }, data: { text: 'new' } });
    await cluster.advance(1);
    expect((await cluster.get(ConfigMap, 'a-time')).data).toEqual({ 'it.is': expect.anything(), page: 'new' });
  });

  it('is well again when its result stays the same', async () => {
    await begin('count on itself');
    await cluster.advance(60);
    expect(await ready()).toMatchObject({ status: 'False' });
    await cluster.apply(asked('count on itself', 3));
    await cluster.advance(1);
    expect((await cluster.get(ConfigMap, 'a-count')).data?.['count']).toBe('3');
    await cluster.settled();
    expect(await ready()).toMatchObject({ status: 'True' });
  });

  it('is none that goes a few steps by what it has written itself', async () => {
    await cluster.apply(asked('count on itself', 8));
    await cluster.advance(1);
    expect((await cluster.get(ConfigMap, 'a-count')).data?.['count']).toBe('8');
    expect(await ready()).toMatchObject({ status: 'True' });
    expect(await warnings()).toEqual([]);
  });
});
