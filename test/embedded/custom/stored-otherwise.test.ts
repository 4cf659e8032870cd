import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connect, type HttpCluster } from '../../../src/client/http-cluster.js';
import { kubeConfig } from '../../../src/client/kube-config.js';
import type { ApiResource } from '../../../src/kube/api-resource.js';
import type { KubeObject } from '../../../src/kube/manifest.js';
import { eventually } from '../../cluster/eventually.js';
import { onEveryCluster } from '../../cluster/on-real-cluster.js';

const definitions: ApiResource = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const write = { fieldManager: 'tester' };
const nothing = { type: 'merge', body: {} } as const;

const version = (name: string, storage: boolean, mode: object = {}) => {
  const spec = { type: 'object', properties: { mode: { type: 'string', ...mode } } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  return { name, served: true, storage, schema };
};

/** A kind by its versions. */
const versionsOf =
  (kind: string, plural: string) =>
  (name: string): ApiResource => ({
    apiVersion: `stored.kilter.dev/${name}`,
    kind,
    plural,
    namespaced: true,
  });

onEveryCluster('what is stored otherwise than it would be now', {}, (plane) => {
  let admin: HttpCluster;
  beforeAll(async () => {
    admin = connect(await kubeConfig({ path: plane().kubeconfig }));
  });
  afterAll(() => admin?.close());

  const versionOf = ({ metadata }: KubeObject) => metadata.resourceVersion;

  it.each([
    ['version', [version('v1', true), version('v2', false)], [version('v1', false), version('v2', true)]],
    ['default', [version('v1', true)], [version('v1', true, { default: 'easy' })]],
  ] as const)('is written anew by a patch of nothing, once, after a change of the %s', async (what, before, after) => {
    const plural = `${what}s`;
    const kind = `Of${what}`;
    const resource: ApiResource = { apiVersion: 'stored.kilter.dev/v1', kind, plural, namespaced: true };
    const name = `${plural}.stored.kilter.dev`;
    const spec = { group: 'stored.kilter.dev', scope: 'Namespaced', names: { plural, kind }, versions: before };
    const { apiVersion } = definitions;
    await admin.create(definitions, { apiVersion, kind: definitions.kind, metadata: { name }, spec }, write);
    const one = { namespace: 'default', name: 'one' };
    const manifest = { apiVersion: resource.apiVersion, kind, metadata: one, spec: {} };
    const created = await eventually(() => admin.create(resource, manifest, write));

    const patch = () => admin.patch(resource, one, nothing, write);
    expect(versionOf(await patch())).toBe(versionOf(created));
    await admin.patch(definitions, { name }, { type: 'merge', body: { spec: { versions: after } } }, write);
    // It takes a moment until the definition is served as it is.
    const anew = await eventually(async () => {
      const patched = await patch();
      expect(versionOf(patched)).not.toBe(versionOf(created));
      return patched;
    }, 20);
    expect(anew.metadata.generation).toBe(1);
    expect(versionOf(await patch())).toBe(versionOf(anew));
  });

  it('has the defaults of the version in which it was stored, and of no other', async () => {
    const [plural, kind] = ['heirs', 'Heir'];
    const of = versionsOf(kind, plural);
    const definition = { name: `${plural}.stored.kilter.dev` };
    const spec = { group: 'stored.kilter.dev', scope: 'Namespaced', names: { plural, kind } };
    const { apiVersion } = definitions;
    const versions = [version('v1', true), version('v2', false)];
    const body = { apiVersion, kind: definitions.kind, metadata: definition, spec: { ...spec, versions } };
    await admin.create(definitions, body, write);
    const created = (name: string, by: string) => {
      const metadata = { namespace: 'default', name };
      return admin.create(of(by), { apiVersion: of(by).apiVersion, kind, metadata, spec: {} }, write);
    };
    await eventually(() => created('old', 'v1'));
    const modes = async () => {
      const read = async (name: string, by: string) =>
        (await admin.get(of(by), { namespace: 'default', name }))?.['spec'];
      return { old: [await read('old', 'v1'), await read('old', 'v2')], new: await read('new', 'v1') };
    };

    const changed = [version('v1', false, { default: 'first' }), version('v2', true, { default: 'second' })];
    await admin.patch(definitions, definition, { type: 'merge', body: { spec: { versions: changed } } }, write);
    // It takes a moment until the definition is served as it is.
    const first = { mode: 'first' };
    await eventually(
      async () =>
        expect(await admin.get(of('v2'), { namespace: 'default', name: 'old' })).toMatchObject({ spec: first }),
      20,
    );
    await created('new', 'v2');
    expect(await modes()).toEqual({ old: [first, first], new: { mode: 'second' } });
  });

  it('cannot be read once its version is no longer defined', async () => {
    const plural = 'relics';
    const kind = 'Relic';
    const of = versionsOf(kind, plural);
    const metadata = { name: `${plural}.stored.kilter.dev` };
    const { apiVersion } = definitions;
    const spec = {
      group: 'stored.kilter.dev',
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [version('v1', true)],
    };
    await admin.create(definitions, { apiVersion, kind: definitions.kind, metadata, spec }, write);
    const one = { namespace: 'default', name: 'one' };
    await eventually(() => admin.create(of('v1'), { apiVersion: of('v1').apiVersion, kind, metadata: one }, write));
    const change = (body: object, options: object = {}) =>
      admin.patch(definitions, metadata, { type: 'merge', body }, { ...write, ...options });
    await change({ spec: { versions: [version('v1', false), version('v2', true)] } });
    const two = { namespace: 'default', name: 'two' };
    await eventually(() => admin.create(of('v2'), { apiVersion: of('v2').apiVersion, kind, metadata: two }, write));
    await change({ status: { storedVersions: ['v2'] } }, { subresource: 'status' });
    await change({ spec: { versions: [version('v2', true)] } });
    const because = `request to convert CR from an invalid group/version: ${of('v1').apiVersion}`;
    await eventually(() => expect(admin.get(of('v2'), one)).rejects.toThrow(because));
    await expect(admin.patch(of('v2'), one, nothing, write)).rejects.toThrow(because);
    await expect(admin.delete(of('v2'), one)).rejects.toThrow(because);
    expect(await admin.get(of('v2'), two)).toMatchObject({ metadata: two });
    const unlisted = `storage is (re)initializing: failed to list ${of('v2').apiVersion}, Kind=${kind}: ${because}`;
    await eventually(() => expect(admin.list(of('v2'), { namespace: 'kube-public' })).rejects.toThrow(unlisted));
    const watched = async () => {
      for await (const event of admin.watch(of('v2'), { resourceVersion: '0', timeoutSeconds: 1 })) return event;
      return undefined;
    };
    await expect(watched()).rejects.toThrow(unlisted);
  });
});
