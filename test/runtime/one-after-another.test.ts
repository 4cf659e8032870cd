import { afterEach, expect, it } from '@jest/globals';
import { EventsEvent } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';

const Note = customResource({ group: 'x.example.com', version: 'v1', kind: 'Note', spec: s.object({}) });
const notes = operator(Note, {
  owns: [],
  compose() {
    throw new Error('it cannot be composed');
  },
});
const note = { apiVersion: Note.apiVersion, kind: Note.kind, metadata: { name: 'a' }, spec: {} };

let cluster: TestCluster;
afterEach(() => cluster.stop());

it('a custom resource of a name that was another one a moment ago is told of anew', async () => {
  cluster = await startCluster();
  const controller = await cluster.run(notes);
  await cluster.apply(note);
  await cluster.settled();
  controller.faults.silenceWatch(Note);
  await cluster.delete(Note, 'a');
  const { metadata } = await cluster.apply(note);
  // It hears of both at once, by a new list.
  cluster.compact();
  controller.faults.breakWatch(Note);
  await cluster.settled();
  const told = (await cluster.list(EventsEvent)).map(({ regarding }) => regarding?.uid);
  expect(told).toContain(metadata?.uid);
  expect(controller.log.filter(({ level }) => level === 'error')).toHaveLength(2);
});
