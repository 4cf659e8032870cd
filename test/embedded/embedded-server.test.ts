import { describe, expect, it } from '@jest/globals';
import { ConfigMap, FlowSchema, LimitRange, ResourceQuota } from '../../imports/k8s.js';
import { NotFoundError } from '../../src/client/api-error.js';
import { notServed } from '../../src/embedded/built-in/built-in-kinds.js';
import { EmbeddedServer } from '../../src/embedded/embedded-server.js';
import { unenforced } from '../../src/embedded/kinds/unenforced.js';
import { groupOf, versionOf } from '../../src/kube/api-resource.js';

const write = { fieldManager: 'test' };
const named = (apiVersion: string, kind: string) => ({
  apiVersion,
  kind,
  metadata: { name: 'a', ...(apiVersion === 'v1' ? { namespace: 'default' } : {}) },
});

describe('the embedded API server', () => {
  const server = new EmbeddedServer({ controllers: false });
  const cluster = server.cluster();
  const kindOf = (storage: string) => server.kinds.all.find((kind) => kind.storage === storage);

  it.each(Object.entries(unenforced))(
    'does not keep %s, which it cannot enforce, and says so',
    async (storage, missing) => {
      const kind = kindOf(storage);
      expect(kind).toBeDefined();
      const { group, version, plural, namespaced } = kind!;
      const apiVersion = group === '' ? version : `${group}/${version}`;
      const bodies: Readonly<Record<string, object>> = {
        'validatingadmissionpolicybindings.admissionregistration.k8s.io': {
          spec: { policyName: 'a', validationActions: ['Deny'] },
        },
        'mutatingadmissionpolicybindings.admissionregistration.k8s.io': { spec: { policyName: 'a' } },
      };
      const made = cluster.create(
        { apiVersion, kind: kind!.kind, plural, namespaced },
        { ...named(apiVersion, kind!.kind), ...bodies[storage] },
        write,
      );
      await expect(made).rejects.toThrow(`${missing} is not part of the embedded API server`);
    },
  );

  it('keeps them where that is wanted', async () => {
    const keeping = new EmbeddedServer({ controllers: false, keepsUnenforced: true }).cluster();
    const schema = {
      ...named(FlowSchema.apiVersion, 'FlowSchema'),
      spec: { priorityLevelConfiguration: { name: 'a' } },
    };
    await keeping.create(FlowSchema, schema, write);
    expect((await keeping.list(FlowSchema)).items).toHaveLength(1);
  });

  it('keeps quotas and limits, which it judges and does not enforce', async () => {
    const quota = { ...named('v1', 'ResourceQuota'), spec: { hard: { 'count/configmaps': '0' } } };
    await cluster.create(ResourceQuota, quota, write);
    await cluster.create(LimitRange, { ...named('v1', 'LimitRange'), spec: { limits: [{ type: 'Pod' }] } }, write);
    await cluster.create(
      ConfigMap,
      { ...named('v1', 'ConfigMap'), metadata: { namespace: 'default', name: 'more' } },
      write,
    );
    const odd = { ...quota, metadata: { ...quota.metadata, name: 'odd' }, spec: { hard: { pods: '-1' } } };
    await expect(cluster.create(ResourceQuota, odd, write)).rejects.toThrow('must be greater than or equal to 0');
  });

  it.each(Object.keys(notServed))('says of %s that it is not part of it', async (name) => {
    const [plural = '', ...rest] = name.split('/').reverse();
    const apiVersion = rest.reverse().join('/');
    const unserved = { apiVersion, kind: 'X', plural, namespaced: false };
    expect(server.kinds.resource(groupOf(apiVersion), versionOf(apiVersion), plural)).toBeUndefined();
    await expect(cluster.list(unserved)).rejects.toThrow('is not part of the embedded API server');
  });

  it('knows nothing of a kind that nobody serves', async () => {
    const unheard = { apiVersion: 'example.com/v1', kind: 'Unheard', plural: 'unheards', namespaced: false };
    await expect(cluster.list(unheard)).rejects.toThrow(NotFoundError);
  });

  it('lets nobody change what it handed out', async () => {
    const made = await cluster.create(ConfigMap, { ...named('v1', 'ConfigMap'), data: { a: '1' } }, write);
    expect(() => {
      (made as unknown as { data: Record<string, string> }).data['a'] = '2';
    }).toThrow(TypeError);
    expect((await cluster.get(ConfigMap, { namespace: 'default', name: 'a' }))['data']).toEqual({ a: '1' });
  });

  it('keeps nothing of what it was handed', async () => {
    const manifest = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'mine', namespace: 'default' },
      data: { a: '1' },
    };
    await cluster.create(ConfigMap, manifest, write);
    manifest.data.a = '2';
    expect((await cluster.get(ConfigMap, { namespace: 'default', name: 'mine' }))['data']).toEqual({ a: '1' });
  });
});
