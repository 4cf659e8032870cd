import { expect } from '@jest/globals';
import type { TestCluster } from '../../src/testing/test-cluster.js';
import type { TestController } from '../../src/testing/test-controller.js';
import { conditionIn } from '../condition-in.js';

/**
 * Has `leader` die and `standby` come to lead, which hears only then, by `letGo`, of what it has not heard of. Resolves with the reasons
 * of `Ready` that were said meanwhile of objects of the kind.
 */
export async function sayingAfterTakeover(
  cluster: TestCluster,
  { leader, standby, letGo }: { leader: TestController; standby: TestController; letGo: () => void },
  kind: string,
): Promise<readonly string[]> {
  const heard = new Set<string>();
  cluster.server.store.listen(({ object }) => {
    if (object.kind === kind) heard.add(conditionIn(object)?.reason ?? 'nothing');
  });
  leader.crash();
  await cluster.advance(20);
  expect(standby.leads).toBe(true);
  letGo();
  await cluster.settled();
  return [...heard];
}
