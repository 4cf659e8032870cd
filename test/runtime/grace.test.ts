import { afterEach, expect, it } from '@jest/globals';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { aNote, note } from './a-note.js';

let cluster: TestCluster;
afterEach(() => cluster.stop());

it('K-07: a write that is not answered is given up four seconds after the process was asked to end', async () => {
  cluster = await startCluster();
  const controller = await cluster.run(note);
  controller.faults.delay({ verb: 'create', kind: 'ConfigMap' }, 3600);
  await cluster.apply(aNote);
  await cluster.advance(1);
  void controller.stop();
  await cluster.advance(3);
  expect(controller.isRunning).toBe(true);
  await cluster.advance(2);
  expect(controller.isRunning).toBe(false);
});
