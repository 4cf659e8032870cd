import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap, EventsEvent } from '../../../imports/k8s.js';
import { LastingConflicts } from '../../../src/runtime/children/lasting-conflicts.js';
import { startCluster, type TestCluster, type TestController } from '../../../src/testing/index.js';
import { conditionIn } from '../../condition-in.js';
import { Note, note, notes } from '../notes.js';

describe('conflicts without a word of why', () => {
  let cluster: TestCluster;
  let controller: TestController;
  beforeEach(async () => {
    cluster = await startCluster();
    controller = await cluster.run(notes);
    await cluster.apply(note());
    await cluster.settled();
  });
  afterEach(() => cluster.stop());

  const ready = async () => conditionIn(await cluster.get(Note, 'a'));
  const warnings = async () =>
    (await cluster.list(EventsEvent))
      .filter(({ type }) => type === 'Warning')
      .map(({ reason, note }) => [reason, /conflict|409/i.test(note ?? '')]);
  const refuse = (kind: string, subresource?: string) =>
    controller.faults.refuse(
      { verb: 'apply', kind, ...(subresource ? { subresource } : {}) },
      { code: 409, times: 10_000 },
    );

  it('about a child are nothing to tell for a while', async () => {
    refuse('ConfigMap');
    await cluster.apply(note('two'));
    await cluster.advance(20);
    controller.faults.clear();
    await cluster.advance(60);
    expect(await warnings()).toEqual([]);
    expect(await ready()).toMatchObject({ status: 'True' });
    expect((await cluster.get(ConfigMap, 'a-paper')).data).toEqual({ text: 'two' });
  });

  it('about a child are told once when they last, and that they are over', async () => {
    refuse('ConfigMap');
    await cluster.apply(note('two'));
    // By the first try after half a minute.
    await cluster.advance(60);
    expect(await warnings()).toEqual([['ApplyFailed', true]]);
    await cluster.advance(3600);
    expect(await ready()).toMatchObject({
      status: 'False',
      reason: 'ApplyFailed',
      message: expect.stringMatching(/409|conflict/i),
    });
    expect(await warnings()).toEqual([['ApplyFailed', true]]);

    controller.faults.clear();
    await cluster.advance(1000);
    expect(await ready()).toMatchObject({ status: 'True' });
    expect((await cluster.get(ConfigMap, 'a-paper')).data).toEqual({ text: 'two' });

    // Those that come later have their own half minute.
    refuse('ConfigMap');
    await cluster.apply(note('three'));
    await cluster.advance(20);
    expect(await ready()).toMatchObject({ status: 'True' });
  });

  it('about the status are told once when they last', async () => {
    refuse('Note', 'status');
    await cluster.apply(note('two'));
    await cluster.advance(20);
    expect(await warnings()).toEqual([]);
    await cluster.advance(3600);
    expect(await warnings()).toEqual([['ApplyFailed', true]]);

    controller.faults.clear();
    await cluster.advance(1000);
    expect(await ready()).toMatchObject({ status: 'True' });
    expect((await cluster.get(Note, 'a')).status?.text).toBe('two');
  });
});

describe('conflicts of which the last is long ago', () => {
  it('say nothing of the next one, though no round since then came to its end', () => {
    const conflicts = new LastingConflicts();
    const told = [0, 10, 600, 610, 629, 631].filter((second) => conflicts.met('default/a', second * 1000));
    expect(told).toEqual([631]);
  });
});
