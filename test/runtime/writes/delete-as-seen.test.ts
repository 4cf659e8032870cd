import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap } from '../../../imports/k8s.js';
import { ConflictError } from '../../../src/client/api-error.js';
import { deleteAsSeen } from '../../../src/runtime/writes/delete-as-seen.js';
import { writeMetadata } from '../../../src/runtime/writes/write-metadata.js';
import { startCluster, type TestCluster } from '../../../src/testing/index.js';

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await startCluster();
  await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { by: 'us' } });
});
afterEach(() => cluster.stop());

const found = () => cluster.get(ConfigMap, 'a');
const writer = () => ({
  cluster: cluster.server.cluster(),
  resource: ConfigMap,
  manager: 'us',
  signal: new AbortController().signal,
});
const changed = () => cluster.patch(ConfigMap, 'a', { data: { by: 'them' } });

it('what somebody has changed since it was looked at is neither deleted nor let go', async () => {
  const seen = await found();
  await changed();
  await expect(deleteAsSeen(seen, writer())).rejects.toThrow(ConflictError);
  await expect(writeMetadata(seen, { labels: {} }, writer())).rejects.toThrow(ConflictError);
  expect((await found()).data).toEqual({ by: 'them' });
});

it('what is gone already is as good as deleted, and there is nothing to let go of', async () => {
  const seen = await found();
  await deleteAsSeen(seen, writer());
  await deleteAsSeen(seen, writer());
  expect(await writeMetadata(seen, { labels: {} }, writer())).toBeUndefined();
});
