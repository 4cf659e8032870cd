import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster, type TestController } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';

const Note = customResource({
  group: 'x.example.com',
  version: 'v1',
  kind: 'Note',
  spec: s.object({ data: s.map(s.string(), { default: {} }), labels: s.map(s.string(), { default: {} }) }),
  status: s.object({ seen: s.map(s.string()) }),
});
const notes = operator(Note, {
  owns: [ConfigMap],
  compose: (scope, { spec }) => ({
    paper: new ConfigMap(scope, 'paper', { metadata: { labels: spec.labels }, data: spec.data }),
  }),
  status: ({ paper }) => ({ seen: paper?.data ?? {} }),
});
const names = ['__proto__', 'constructor', 'hasOwnProperty', 'toString'];
/** As a body of JSON has them: keys like any others. */
const keys = (value: string) =>
  JSON.parse(`{${names.map((name) => `"${name}":"${value}"`).join()}}`) as Record<string, string>;
const entries = (value: string) => names.map((name) => [name, value]).sort();

describe('S-20: keys that JavaScript has a meaning for', () => {
  let cluster: TestCluster;
  let controller: TestController;
  beforeEach(async () => {
    cluster = await startCluster();
    controller = await cluster.run(notes);
    await cluster.apply({
      apiVersion: Note.apiVersion,
      kind: Note.kind,
      metadata: { name: 'a' },
      spec: { data: keys('ours') },
    });
    await cluster.settled();
  });
  afterEach(() => cluster.stop());
  const paper = async () => Object.entries((await cluster.get(ConfigMap, 'a-paper')).data ?? {}).sort();

  it('are data in a child and in the status, and pollute nothing', async () => {
    expect(await paper()).toEqual(entries('ours'));
    const { status } = await cluster.get(Note, 'a');
    expect(Object.entries(status?.seen ?? {}).sort()).toEqual(entries('ours'));
    expect(({} as Record<string, unknown>)['ours']).toBeUndefined();
    const before = cluster.writes().length;
    await cluster.advance(3600);
    controller.restart();
    await cluster.advance(3600);
    expect(cluster.writes(before)).toEqual([]);
  });

  it.each(names)('are put back: %s', async (name) => {
    const before = cluster.writes().length;
    await cluster.patch(ConfigMap, 'a-paper', JSON.parse(`{"data":{"${name}":"theirs"}}`));
    await cluster.settled();
    expect(await paper()).toEqual(entries('ours'));
    await cluster.patch(ConfigMap, 'a-paper', JSON.parse(`{"data":{"${name}":null}}`));
    await cluster.settled();
    expect(await paper()).toEqual(entries('ours'));
    expect(cluster.writes(before).filter(({ kind }) => kind === 'ConfigMap')).toHaveLength(2);
  });

  it.each(names)('go when they are desired no more: %s', async (name) => {
    const rest = names.filter((each) => each !== name);
    await cluster.patch(Note, 'a', JSON.parse(`{"spec":{"data":{"${name}":null}}}`));
    await cluster.settled();
    expect(await paper()).toEqual(rest.map((each) => [each, 'ours']).sort());
  });

  it('are refused where they cannot be a label', async () => {
    await cluster.apply({
      apiVersion: Note.apiVersion,
      kind: Note.kind,
      metadata: { name: 'b' },
      spec: { labels: JSON.parse('{"__proto__":"x"}') },
    });
    await cluster.settled();
    expect(conditionIn(await cluster.get(Note, 'b'))).toMatchObject({
      status: 'False',
      reason: 'ApplyFailed',
    });
    expect(controller.isRunning).toBe(true);
  });
});
