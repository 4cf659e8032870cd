import { expect, it } from '@jest/globals';
import { ConfigMap, CustomResourceDefinition } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { eventually } from '../cluster/eventually.js';
import { onEveryCluster } from '../cluster/on-real-cluster.js';
import { Stage } from '../cluster/stage.js';

const Note = customResource({
  group: 'notes.example.com',
  version: 'v1',
  kind: 'Note',
  spec: s.object({ text: s.string({ default: '' }) }),
  status: s.object({
    first: s.string({ optional: true }),
    second: s.string({ optional: true }),
    letters: s.map(s.string(), { optional: true }),
  }),
});

const notes = ({ name = 'notes', formerly = [] as readonly string[], says = 'first' as 'first' | 'second' } = {}) =>
  operator(Note, {
    name,
    formerly,
    owns: [ConfigMap],
    compose(scope, cr) {
      if (cr.spec.text === 'bad') throw new Error(`${name} cannot say that`);
      new ConfigMap(scope, 'text', { data: { text: cr.spec.text } });
    },
    status: (_, __, { spec }) => ({
      [says]: 'said',
      ...(spec.text !== 'letters' ? {} : { letters: says === 'first' ? { a: '1', b: '2' } : { a: '1' } }),
    }),
  });
const suspended = { 'notes.example.com/reconcile': 'suspended' };

onEveryCluster('the status of a custom resource', {}, (plane) => {
  const stage = new Stage(plane, [Note.crd()]);
  const run = async (operated: ReturnType<typeof notes>) => {
    await stage.stop();
    await stage.start([operated]);
  };
  const annotate = (name: string, annotations: Readonly<Record<string, string | null>>) =>
    stage.change(Note, name, { metadata: { annotations } });
  const shows = (name: string, types: readonly string[], fields: readonly string[]) =>
    eventually(async () => {
      const { conditions = [], ...rest } = ((await stage.get(Note, name)).status ?? {}) as {
        readonly conditions?: readonly { readonly type: string }[];
      };
      expect(conditions.map(({ type }) => type).sort()).toEqual(types);
      expect(Object.keys(rest).sort()).toEqual([...fields, 'observedGeneration'].sort());
    });

  it('says nothing any more that the operator said under an older name', async () => {
    await run(notes({ name: 'old-notes' }));
    await stage.wish(Note, 'renamed', { text: 'a' });
    await shows('renamed', ['Ready'], ['first']);
    await annotate('renamed', suspended);
    await shows('renamed', ['Paused', 'Ready'], ['first']);

    await stage.stop();
    await annotate('renamed', { 'notes.example.com/reconcile': null });
    await stage.start([notes({ formerly: ['old-notes'], says: 'second' })]);
    await shows('renamed', ['Ready'], ['second']);
  });

  it('says that it is well when an older name has a part of what was wrong', async () => {
    await run(notes({ name: 'old-notes' }));
    await stage.wish(Note, 'stalled', { text: 'bad' });
    await shows('stalled', ['Ready', 'Stalled'], []);
    await run(notes({ formerly: ['old-notes'] }));
    await eventually(async () =>
      expect(JSON.stringify((await stage.get(Note, 'stalled')).status)).toContain('threw: notes cannot say that'),
    );

    await stage.change(Note, 'stalled', { spec: { text: '' } });
    await shows('stalled', ['Ready'], ['first']);
  });

  it('keeps nothing within a field that the operator said under an older name', async () => {
    await run(notes({ name: 'old-notes' }));
    await stage.wish(Note, 'letters', { text: 'letters' });
    await shows('letters', ['Ready'], ['first', 'letters']);
    await run(notes({ formerly: ['old-notes'], says: 'second' }));
    await shows('letters', ['Ready'], ['letters', 'second']);
    const { letters } = (await stage.get(Note, 'letters')).status as { readonly letters: object };
    expect(letters).toEqual({ a: '1' });
  });

  it('ends its conditions though somebody reset who owns them', async () => {
    await run(notes());
    await stage.wish(Note, 'reset', { text: 'a' });
    await shows('reset', ['Ready'], ['first']);
    await annotate('reset', suspended);
    await shows('reset', ['Paused', 'Ready'], ['first']);
    await stage.change(Note, 'reset', { metadata: { managedFields: [{}] } });
    await annotate('reset', { 'notes.example.com/reconcile': null });
    await shows('reset', ['Ready'], ['first']);
  });

  it('is said as soon as the definition of its kind has a field that it had not', async () => {
    const definition = { spec: Note.crd()['spec'] };
    const define = (body: object) => stage.change(CustomResourceDefinition, Note.crd().metadata.name, body);
    await define(JSON.parse(JSON.stringify(definition).replace('"second":', '"third":')) as object);
    await run(notes({ says: 'second' }));
    await stage.wish(Note, 'lacking', { text: 'a' });
    await shows('lacking', ['Ready', 'Stalled'], []);
    await define(definition);
    await shows('lacking', ['Ready'], ['second']);
  });
});
