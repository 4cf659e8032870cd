import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap, EventsEvent } from '../../../imports/k8s.js';
import { customResource, operator, s } from '../../../src/index.js';
import { startCluster, type TestCluster, type TestController } from '../../../src/testing/index.js';
import { conditionIn } from '../../condition-in.js';

const Note = customResource({
  group: 'x.example.com',
  version: 'v1',
  kind: 'Note',
  spec: s.object({ text: s.string({ default: 'ours' }) }),
  status: s.object({ uid: s.string() }),
});
/** Its status takes for granted that the child is there, and that nobody has changed it. */
const notes = operator(Note, {
  owns: [ConfigMap],
  compose: (scope, { spec }) => ({ paper: new ConfigMap(scope, 'paper', { data: { text: spec.text } }) }),
  status({ paper }) {
    if (paper?.data?.['text'] !== 'ours') throw new TypeError(`no paper: ${paper?.data?.['text']}`);
    return { uid: paper.metadata?.uid ?? '' };
  },
});
const note = (annotations = {}) => ({
  apiVersion: Note.apiVersion,
  kind: Note.kind,
  metadata: { name: 'a', annotations },
  spec: {},
});

describe('a status that throws', () => {
  let cluster: TestCluster;
  let controller: TestController;
  beforeEach(async () => {
    cluster = await startCluster();
    controller = await cluster.run(notes);
  });
  afterEach(() => cluster.stop());

  const condition = async (type: string) => conditionIn(await cluster.get(Note, 'a'), type);
  const text = async () => (await cluster.find(ConfigMap, 'a-paper'))?.data?.['text'];

  it('that nobody may write is told once, and in an Event', async () => {
    controller.faults.refuse({ verb: 'apply', kind: 'Note', subresource: 'status' }, { code: 403, times: 1000 });
    await cluster.apply(note());
    await cluster.advance(600);
    const failed = controller.log.filter(({ message }) => message === 'Failed to write the status');
    expect(failed.filter(({ level }) => level === 'error')).toHaveLength(1);
    expect((await cluster.list(EventsEvent)).map(({ type }) => type)).toEqual(['Warning']);
  });

  it('that could not be written is told once it is', async () => {
    controller.faults.refuse({ verb: 'apply', kind: 'Note', subresource: 'status' }, { code: 403, times: 1000 });
    await cluster.apply(note());
    await cluster.advance(60);
    const told = () => controller.log.filter(({ message }) => message === 'Wrote the status again').length;
    expect(told()).toBe(0);
    controller.faults.clear();
    await cluster.advance(60);
    await cluster.patch(Note, 'a', { metadata: { labels: { touched: 'yes' } } }, { manager: 'somebody' });
    await cluster.settled();
    expect(told()).toBe(1);
  });

  it.each([500, 403])('because a child could not be made keeps nobody from making it after a %i', async (code) => {
    controller.faults.refuse({ verb: 'create', kind: 'ConfigMap' }, { code });
    await cluster.apply(note());
    await cluster.advance(60);
    expect(await text()).toBe('ours');
    expect(await condition('Ready')).toMatchObject({ reason: 'ReconciliationSucceeded' });
  });

  it('because a child could not be made says why that was', async () => {
    controller.faults.refuse({ verb: 'create', kind: 'ConfigMap' }, { code: 500, times: 1000 });
    await cluster.apply(note());
    await cluster.advance(60);
    const message = expect.stringContaining('refused with 500') as unknown;
    expect(await condition('Ready')).toMatchObject({ reason: 'ApplyFailed', message });
    expect(await condition('Stalled')).toBeUndefined();
    expect((await cluster.list(EventsEvent)).map(({ reason }) => reason)).toEqual(['ApplyFailed']);
  });

  it('because a child could not be made leaves the wait that the server asked for as it is', async () => {
    controller.faults.refuse({ verb: 'create', kind: 'ConfigMap' }, { code: 429, retryAfterSeconds: 40 });
    await cluster.apply(note());
    await cluster.advance(39);
    expect(await text()).toBeUndefined();
    await cluster.advance(10);
    expect(await text()).toBe('ours');
  });

  it('for what it sees does not draw out a mode that has an end', async () => {
    await cluster.apply(note());
    await cluster.settled();
    const until = new Date(cluster.clock.now() + 600_000).toISOString();
    await cluster.apply(note({ 'x.example.com/mode': 'report', 'x.example.com/mode-until': until }));
    await cluster.settled();
    await cluster.patch(ConfigMap, 'a-paper', { data: { text: 'theirs' } }, { manager: 'somebody' });
    await cluster.advance(60);
    const message = expect.stringMatching(
      /^status of Note\/default\/a threw: no paper: theirs; it was thrown at throwing-status\.test\.ts:\d+:\d+$/,
    ) as unknown;
    expect(await condition('Stalled')).toMatchObject({ reason: 'RenderFailed', message });
    await cluster.advance(600);
    expect(await text()).toBe('ours');
    expect(await condition('Stalled')).toBeUndefined();
  });

  it('for what it sees neither hides a fight nor lets it go on for ever', async () => {
    await cluster.apply(note());
    await cluster.settled();
    for (let second = 0; second < 120; second++) {
      await cluster.patch(ConfigMap, 'a-paper', { data: { text: 'theirs' } }, { manager: 'rival' });
      await cluster.advance(1);
    }
    expect(await condition('Stalled')).toMatchObject({ reason: 'RenderFailed' });
    expect(await condition('Fighting')).toMatchObject({ reason: 'FightDetected' });
    await cluster.advance(7200);
    expect(await text()).toBe('ours');
    expect(await condition('Fighting')).toBeUndefined();
  });
});
