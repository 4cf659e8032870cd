import { afterEach, describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';
import { Note, note, notes } from './notes.js';

const day = 24 * 3600;

describe('a write that is refused for days', () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  it.each([
    ['waits for a minute in the end, where the server asks for a second of patience each time', 429, 1, 24 * 60],
    ['waits for five minutes in the end, where it is answered 409', 409, undefined, 24 * 12 + 100],
  ])('%s', async (_, code, retryAfterSeconds, mostADay) => {
    cluster = await startCluster();
    const controller = await cluster.run(notes);
    const after = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
    controller.faults.refuse({ verb: 'create', kind: 'ConfigMap' }, { code, times: 1_000_000, ...after });
    let tries = 0;
    controller.faults.observe(({ verb, kind }) => {
      if (verb === 'create' && kind === 'ConfigMap') tries++;
    });
    await cluster.apply(note());
    await cluster.advance(3600);
    tries = 0;
    await cluster.advance(day);
    expect(tries).toBeLessThanOrEqual(mostADay);

    controller.faults.clear();
    // An edit is no retry.
    await cluster.apply(note('two'));
    await cluster.advance(2);
    expect((await cluster.get(ConfigMap, 'a-paper')).data).toEqual({ text: 'two' });
    await cluster.settled();
    expect(conditionIn(await cluster.get(Note, 'a'))).toMatchObject({ status: 'True' });
  });
});
