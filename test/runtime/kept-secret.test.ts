import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Secret } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';

const Vault = customResource({
  group: 'vault.example.com',
  version: 'v1',
  kind: 'Vault',
  spec: s.object({ removal: s.enum(['Delete', 'Orphan'], { default: 'Orphan' }) }),
});
const vault = (adopt: 'never' | 'orphans') =>
  operator(Vault, {
    owns: [Secret],
    adopt,
    removal: '.spec.removal',
    compose: (scope) => void new Secret(scope, 'key', {}),
  });
const home = { apiVersion: Vault.apiVersion, kind: Vault.kind, metadata: { name: 'home' }, spec: {} };

describe('a Secret that outlived its custom resource', () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startCluster();
    const controller = await cluster.run(vault('never'));
    await cluster.apply(home);
    await cluster.settled();
    await cluster.patch(Secret, 'home-key', { data: { key: 'c2VjcmV0' } }, { manager: 'key-maker' });
    await cluster.delete(Vault, 'home');
    await cluster.settled();
    await cluster.apply(home);
    await cluster.settled();
    await controller.stop();
  });
  afterEach(() => cluster.stop());

  it('is refused to another one of its name, which says by what it would be taken', async () => {
    expect(conditionIn(await cluster.get(Vault, 'home'), 'Ready')).toMatchObject({
      reason: 'ApplyConflict',
      message: expect.stringContaining(
        "; delete or rename it, give the child another name, or have its operator adopt it, by adopt: 'orphans'",
      ),
    });
    await cluster.run(vault('orphans'));
    await cluster.settled();
    expect(conditionIn(await cluster.get(Vault, 'home'), 'Ready')).toMatchObject({ status: 'True' });
    expect((await cluster.get(Secret, 'home-key')).data).toEqual({ key: 'c2VjcmV0' });
  });
});

it('what an operator would take by no means is not said to be adopted', async () => {
  const cluster = await startCluster();
  await cluster.run(vault('never'));
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'home-key', labels: { 'other.example.com/owner-uid': '1', 'vault.example.com/owner-uid': '2' } },
  });
  await cluster.apply(home);
  await cluster.settled();
  expect(conditionIn(await cluster.get(Vault, 'home'), 'Ready')?.message).not.toContain('adopt');
  await cluster.stop();
});
