import { expect, it } from '@jest/globals';
import { Secret } from '../../../imports/k8s.js';
import type { Manifest } from '../../../src/kube/manifest.js';
import { startCluster } from '../../../src/testing/index.js';

it('a Secret may be created from a list of its bytes, however many they are', async () => {
  const cluster = await startCluster();
  const key = Array.from({ length: 200_000 }, (_, index) => index % 256);
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'large', namespace: 'default' }, data: { key } };
  await cluster.server.cluster().create(Secret, secret as Manifest, { fieldManager: 'curl' });
  const { data } = await cluster.get(Secret, 'large');
  expect(data?.['key'] === Buffer.from(key).toString('base64')).toBe(true);
  await cluster.stop();
});
