import { expect } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import type { TestCluster } from '../../src/testing/index.js';

/** Deletes the custom resource `b`, which goes. */
export async function end(cluster: TestCluster, kind: Parameters<TestCluster['find']>[0]): Promise<void> {
  await cluster.delete(kind, 'b');
  await cluster.settled();
  expect(await cluster.find(kind, 'b')).toBeUndefined();
}

/** The names of the ConfigMaps of `b` that are there. */
export async function left(cluster: TestCluster): Promise<string[]> {
  return (await cluster.list(ConfigMap)).map(({ metadata }) => metadata.name).filter((name) => name.startsWith('b-'));
}
