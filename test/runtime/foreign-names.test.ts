import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap, EventsEvent } from '../../imports/k8s.js';
import { lookForDrift } from '../../src/cli/drift/look-for-drift.js';
import { customResource, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster, type TestController } from '../../src/testing/index.js';

const Note = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Note',
  spec: s.object({ name: s.string() }),
});
const note = operator(Note, {
  owns: [ConfigMap],
  reach: 'consent',
  adopt: 'always',
  compose(scope, { spec: { name } }) {
    new ConfigMap(scope, 'note', { metadata: { namespace: 'bank', name }, data: { by: 'us' } });
  },
});

describe('a child in a namespace that does not accept it', () => {
  let cluster: TestCluster;
  let controller: TestController;
  beforeEach(async () => {
    cluster = await startCluster();
    controller = await cluster.run(note);
    await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'bank' } });
    const metadata = (name: string, more: object = {}) => ({ name, namespace: 'bank', ...more });
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'bankers', uid: '1', controller: true };
    const map = { apiVersion: 'v1', kind: 'ConfigMap' };
    await cluster.apply({ ...map, metadata: metadata('plain') });
    await cluster.apply({ ...map, metadata: metadata('owned', { ownerReferences: [owner] }) });
    await cluster.apply({ ...map, metadata: metadata('going', { finalizers: ['example.com/held'] }) });
    await cluster.delete(ConfigMap, 'going', { namespace: 'bank' });
  });
  afterEach(() => cluster.stop());

  /** All that is told of a custom resource that wants the child called so. */
  const toldOf = async (name: string, mode: string) => {
    await cluster.apply({
      apiVersion: Note.apiVersion,
      kind: 'Note',
      metadata: { name, annotations: { [`${Note.group}/mode`]: mode } },
      spec: { name },
    });
    await cluster.settled();
    const { status } = await cluster.get(Note, name);
    const conditions = (status?.conditions ?? []).map(({ lastTransitionTime: _, ...rest }) => rest);
    const events = (await cluster.list(EventsEvent))
      .filter(({ regarding }) => regarding?.name === name)
      .map(({ reason, note: words }) => ({ reason, words }));
    const lines = controller.log
      .filter(({ data }) => data?.['name'] === name)
      .map(({ message, data: { reconcileID: _, ...data } = {} }) => ({ message, data }));
    const look = { cluster: cluster.server.cluster(), operators: [note], clock: cluster.clock };
    const { rows, problems } = await lookForDrift(look);
    const found = [...problems, ...rows.map((row) => JSON.stringify(row))].filter((each) => each.includes(`/${name}`));
    expect(JSON.stringify(conditions)).toContain('ConsentMissing');
    return JSON.parse(JSON.stringify({ conditions, events, lines, found }).replaceAll(name, '<name>')) as unknown;
  };

  it.each(['enforce', 'report', 'ignore'])('says no more of it where there is one of that name (%s)', async (mode) => {
    const none = await toldOf('absent', mode);
    for (const name of ['plain', 'owned', 'going']) expect(await toldOf(name, mode)).toEqual(none);
  });
});
