import { expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, type Operator, operator, s } from '../../src/index.js';
import { startCluster } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';

const Note = customResource({
  group: 'notes.example.com',
  version: 'v1',
  kind: 'Note',
  spec: s.object({ text: s.string() }),
});
const notes = operator(Note, {
  owns: [ConfigMap],
  compose(scope, { spec }) {
    new ConfigMap(scope, 'text', { data: { text: spec.text } });
  },
});
let isMistaken = false;
/** In place of what nobody has thought of. */
const mistaken: Operator = Object.create(notes, {
  removalOf: {
    get() {
      if (isMistaken) throw new RangeError('Maximum call stack size exceeded');
      return undefined;
    },
  },
}) as Operator;

it('a mistake of ours is told by the custom resource that it happens for, until it happens no more', async () => {
  const cluster = await startCluster();
  const controller = await cluster.run(mistaken);
  await cluster.apply({ apiVersion: Note.apiVersion, kind: 'Note', metadata: { name: 'a' }, spec: { text: 'x' } });
  await cluster.settled();
  isMistaken = true;
  await cluster.patch(ConfigMap, 'a-text', { data: { text: 'of somebody' } });
  await cluster.advance(1);
  expect(conditionIn(await cluster.get(Note, 'a'))).toMatchObject({
    status: 'False',
    reason: 'ApplyFailed',
    message: expect.stringContaining('Note/default/a up to date failed unexpectedly: Maximum call stack') as unknown,
  });
  const error = expect.objectContaining({ message: 'Maximum call stack size exceeded' }) as unknown;
  expect(controller.log.map(({ data }) => data)).toContainEqual(expect.objectContaining({ name: 'a', error }));
  isMistaken = false;
  await cluster.advance(60);
  expect(conditionIn(await cluster.get(Note, 'a'))).toMatchObject({ status: 'True' });
  expect((await cluster.get(ConfigMap, 'a-text')).data).toEqual({ text: 'x' });
  await cluster.stop();
});
