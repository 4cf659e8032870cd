import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { ForbiddenError, InvalidError, TransportError } from '../../src/client/api-error.js';
import type { Caller } from '../../src/embedded/api-server.js';
import { customResource, operator, s } from '../../src/index.js';
import type { Manifest } from '../../src/kube/manifest.js';
import { accountOf } from '../../src/testing/account-of.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';
import { Vault } from '../resource/a-guarded-kind.js';

const vaults = operator(Vault, {
  owns: [ConfigMap],
  compose(scope, { spec }) {
    new ConfigMap(scope, 'map', { data: { tier: String(spec.tier) } });
  },
});

const vault = (name: string, spec: object, apiVersion = Vault.apiVersion): Manifest => ({
  apiVersion,
  kind: 'Vault',
  metadata: { name },
  spec,
});

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await startCluster();
});
afterEach(() => cluster.stop());

describe('the admission of a kind, in a test', () => {
  beforeEach(async () => {
    await cluster.run(vaults);
  });

  const specOf = async (name: string) => (await cluster.get(Vault, name)).spec;
  const denied = 'admission webhook "validate.vaults.versions.kilter.dev" denied the request: ';

  it('sets what follows from other fields, in whatever version it is written', async () => {
    const answer = await cluster.apply<{ spec: object }>(vault('large', { size: 20 }));
    expect(answer.spec).toEqual({ size: 20, tier: 'large' });
    await cluster.apply(vault('beta', { boxes: 5 }, `${Vault.group}/v1beta1`));
    expect(await specOf('beta')).toEqual({ size: 5, tier: 'small' });
    await cluster.settled();
    expect((await cluster.get(ConfigMap, 'large-map')).data).toEqual({ tier: 'large' });
  });

  it('sets it again when it is changed, and counts that as a change', async () => {
    await cluster.apply(vault('grown', { size: 5 }));
    await cluster.patch(Vault, 'grown', { spec: { size: 30, tier: null } });
    const { spec, metadata } = await cluster.get(Vault, 'grown');
    expect(spec).toEqual({ size: 30, tier: 'large' });
    expect(metadata.generation).toBe(2);
  });

  it('refuses what is wrong by itself, and nothing of it is stored', async () => {
    const refused = cluster.apply(vault('wrong', { size: 30, tier: 'small' }));
    await expect(refused).rejects.toBeInstanceOf(InvalidError);
    await expect(refused).rejects.toThrow(
      `Vault/default/wrong apply failed: ${denied}Vault.versions.kilter.dev "wrong" is invalid: spec.tier: small is for at most ten`,
    );
    expect(await cluster.list(Vault)).toEqual([]);
  });

  it('refuses what is wrong after what it was, and leaves it so', async () => {
    await cluster.apply(vault('shrunk', { size: 20 }));
    const words = `${denied}Vault.versions.kilter.dev "shrunk" is invalid: spec.size: 3 is less than half of 20`;
    const patched = cluster.patch(Vault, 'shrunk', { spec: { size: 3 } });
    await expect(patched).rejects.toBeInstanceOf(InvalidError);
    await expect(patched).rejects.toThrow(words);
    await expect(cluster.apply(vault('shrunk', { boxes: 3 }, `${Vault.group}/v1beta1`))).rejects.toThrow(words);
    const client = cluster.server.cluster();
    const live = await client.get(Vault, { namespace: 'default', name: 'shrunk' });
    const update = { ...live, spec: { size: 3 } };
    await expect(client.update(Vault, update, { fieldManager: 'x', dryRun: true })).rejects.toThrow(words);
    expect(await specOf('shrunk')).toEqual({ size: 20, tier: 'large' });
  });

  it('refuses what its author did not foresee, with what was thrown', async () => {
    const refused = cluster.apply(vault('odd', { size: 3, note: 'mistake' }));
    await expect(refused).rejects.toBeInstanceOf(TransportError);
    await expect(refused).rejects.toThrow(
      `${denied}reviewing Vault/default/odd failed: validate of Vault/default/odd failed: a mistake of its author`,
    );
  });

  it('is asked of what the schema takes alone', async () => {
    const body = { ...vault('low', { size: -1, note: 'mistake' }), metadata: { name: 'low', namespace: 'default' } };
    const refused = cluster.server.cluster().create(Vault, body, { fieldManager: 'x' });
    await expect(refused).rejects.toThrow('spec.size: Invalid value: -1');
  });

  it('is not asked about a status, about a deletion, or of what is being deleted', async () => {
    await cluster.apply({ ...vault('held', { size: 3 }), metadata: { name: 'held', finalizers: ['kilter.dev/test'] } });
    const free = { metadata: { finalizers: null }, spec: { note: 'mistake' } };
    await expect(cluster.patch(Vault, 'held', free)).rejects.toThrow('a mistake of its author');
    await cluster.patch(Vault, 'held', { status: {}, spec: { note: 'mistake' } }, { subresource: 'status' });
    const controller = cluster.server.cluster(accountOf('vault'));
    await controller.patch(
      Vault,
      { namespace: 'default', name: 'held' },
      { type: 'merge', body: { spec: { note: 'mistake' } } },
      { fieldManager: 'vault' },
    );
    await cluster.delete(Vault, 'held');
    await expect(cluster.patch(Vault, 'held', { spec: { size: 4 } })).rejects.toThrow('a mistake of its author');
    await cluster.patch(Vault, 'held', { metadata: { finalizers: null } });
    expect(await cluster.find(Vault, 'held')).toBeUndefined();
  });
});

describe('policies of a kind, in a test', () => {
  const somebody: Caller = { name: 'somebody', groups: ['system:authenticated'] };
  const words =
    `vaults.versions.kilter.dev "huge" is forbidden: ValidatingAdmissionPolicy 'vault-vault' with binding 'vault-vault' ` +
    'denied request: only administrators have vaults of more than a hundred';

  it('hold whoever they are about, and nobody else', async () => {
    await cluster.run(vaults);
    await cluster.apply({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'somebody' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'somebody' }],
    });
    const huge = { ...vault('huge', { size: 200 }), metadata: { name: 'huge', namespace: 'default' } };
    const refused = cluster.server.cluster(somebody).create(Vault, huge, { fieldManager: 'x' });
    await expect(refused).rejects.toBeInstanceOf(ForbiddenError);
    await expect(refused).rejects.toThrow(words);
    expect(await cluster.list(Vault)).toEqual([]);
    await cluster.apply(huge);
    expect((await cluster.get(Vault, 'huge')).spec).toMatchObject({ size: 200 });
  });

  const guarded = (expression: string) => {
    const Guarded = customResource({
      group: 'versions.kilter.dev',
      version: 'v1',
      kind: 'Guarded',
      spec: s.object({ size: s.int32() }),
      policies: [{ expression, message: 'no' }],
    });
    return operator(Guarded, { owns: [], compose: () => {} });
  };
  const one = { apiVersion: 'versions.kilter.dev/v1', kind: 'Guarded', metadata: { name: 'one' }, spec: { size: 1 } };

  it('see what was, and deny what they cannot judge', async () => {
    const sees = guarded('oldObject == null || object.spec.size > oldObject.spec.size');
    await cluster.run(sees);
    await cluster.apply(one);
    await cluster.apply({ ...one, spec: { size: 2 } });
    await expect(cluster.apply({ ...one, spec: { size: 1 } })).rejects.toThrow('denied request: no');
    // A status is none of their business.
    await cluster.settled();
    const { status } = await cluster.get(sees.resource, 'one');
    expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));
    await cluster.run(guarded('object.metadata.labels.none == 1'));
    await expect(cluster.apply({ ...one, spec: { size: 3 } })).rejects.toThrow(
      "denied request: expression 'object.metadata.labels.none == 1' resulted in error: no such key: labels",
    );
  });

  it('are refused where they are no CEL, and say what they need that is not here', async () => {
    expect(() => guarded('objekt.spec.size == 1')).toThrow(
      `Guarded cannot be defined: policies[0].expression: "objekt.spec.size == 1" compilation failed`,
    );
    await cluster.run(guarded("authorizer.group('').resource('pods').check('get').allowed()"));
    await expect(cluster.apply(one)).rejects.toThrow(
      'authorizer in ValidatingAdmissionPolicy guarded-guarded is not part of the embedded API server',
    );
  });
});

describe('a controller whose children have an admission, in a test', () => {
  const Safe = customResource({
    group: 'versions.kilter.dev',
    version: 'v1',
    kind: 'Safe',
    spec: s.object({ size: s.int32() }),
  });
  const safes = operator(Safe, {
    owns: [Vault],
    compose(scope, { spec }) {
      new Vault(scope, 'vault', { spec: { size: spec.size, tier: 'large' } });
    },
  });
  const safe = (size: number) => ({
    apiVersion: Safe.apiVersion,
    kind: 'Safe',
    metadata: { name: 'safe' },
    spec: { size },
  });
  const ready = async () => conditionIn(await cluster.get(Safe, 'safe'))?.message;

  it('is held to it as everybody is', async () => {
    await cluster.run(vaults);
    await cluster.run(safes);
    await cluster.apply(safe(20));
    await cluster.settled();
    await cluster.apply(safe(5));
    await cluster.advance(60);
    expect((await cluster.get(Vault, 'safe-vault')).spec).toMatchObject({ size: 20 });
    expect(await ready()).toContain('is invalid: spec.size: 5 is less than half of 20');
  });

  it('is not judged by itself, nor is what it writes by the policies of its install', async () => {
    await cluster.run([vaults, safes]);
    for (const size of [20, 5, 200]) {
      await cluster.apply(safe(size));
      await cluster.settled();
      expect((await cluster.get(Vault, 'safe-vault')).spec).toMatchObject({ size });
    }
  });

  it('judges nothing in namespaces that its install does not watch', async () => {
    await cluster.run(vaults, { namespaces: ['default'] });
    await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } });
    const wrong = vault('wrong', { size: 30, tier: 'small' });
    await expect(cluster.apply(wrong)).rejects.toBeInstanceOf(InvalidError);
    await cluster.apply({ ...wrong, metadata: { name: 'wrong', namespace: 'other' } });
  });

  it('is held to the policies of another install', async () => {
    await cluster.run(vaults);
    await cluster.run(safes);
    await cluster.apply(safe(200));
    await cluster.advance(60);
    expect(await cluster.find(Vault, 'safe-vault')).toBeUndefined();
    expect(await ready()).toContain("ValidatingAdmissionPolicy 'vault-vault' with binding 'vault-vault'");
  });
});
