import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { type LookOptions, lookForDrift } from '../../src/cli/drift/look-for-drift.js';
import { customResource, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';

const Note = customResource({ group: 'notes.example.com', version: 'v1', kind: 'Note', spec: s.object({}) });
const notes = operator(Note, {
  owns: [ConfigMap],
  compose(scope) {
    new ConfigMap(scope, 'text', { data: { text: 'ours' } });
  },
});
const reported = { ...notes, drift: { ...notes.drift, mode: 'report' as const } };
const note = (name: string, more = {}) => ({
  apiVersion: Note.apiVersion,
  kind: Note.kind,
  metadata: { name, ...more },
  spec: {},
});

describe('kilter drift', () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startCluster();
    const controller = await cluster.run(notes);
    await cluster.apply(note('a'));
    await cluster.settled();
    // From now on nobody puts anything back.
    controller.crash();
  });
  afterEach(() => cluster.stop());

  const modes = async (options: Partial<LookOptions> = {}) => {
    const given = { cluster: cluster.server.cluster(), operators: [notes], clock: cluster.clock, ...options };
    const { rows, problems } = await lookForDrift(given);
    expect(problems).toEqual([]);
    return rows.map(({ child, mode }) => `${child} ${mode}`);
  };

  it('tells what the controller does about a change, in the mode of its flag before that of the operator', async () => {
    await cluster.patch(ConfigMap, 'a-text', { data: { text: 'theirs' } });
    expect(await modes()).toEqual(['ConfigMap/default/a-text enforce']);
    expect(await modes({ mode: 'report' })).toEqual(['ConfigMap/default/a-text report']);
    expect(await modes({ operators: [reported] })).toEqual(['ConfigMap/default/a-text report']);
    expect(await modes({ operators: [reported], mode: 'enforce' })).toEqual(['ConfigMap/default/a-text enforce']);
  });

  it('misses no child of a custom resource that is being deleted', async () => {
    await cluster.apply(note('going', { finalizers: ['notes.example.com/kept'] }));
    expect(await modes()).toEqual(['ConfigMap/default/going-text enforce']);
    await cluster.delete(Note, 'going');
    expect(await modes()).toEqual([]);
  });
});
