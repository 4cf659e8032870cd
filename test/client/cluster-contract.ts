/** Longer than most files: one contract, which every implementation is held to as a whole. */
import { inspect } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigMap, Deployment, Namespace, Secret, Service } from '../../imports/k8s.js';
import {
  AlreadyExistsError,
  ConflictError,
  FieldConflict,
  InvalidError,
  isGone,
  KindNotServedError,
  NotFoundError,
} from '../../src/client/api-error.js';
import type { Cluster, Patch, WatchEvent } from '../../src/client/cluster.js';
import type { ApiResource } from '../../src/kube/api-resource.js';
import { OperatorError } from '../../src/kube/errors.js';
import type { KubeObject, Manifest } from '../../src/kube/manifest.js';
import { type Features, featuresOf } from '../cluster/features-of.js';

const namespace = 'default';
const write = { fieldManager: 'contract' } as const;
const target = (name: string) => ({ namespace, name });

const configMap = (name: string, data: Readonly<Record<string, string>> = {}): Manifest => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
  data,
});
const of = ({ apiVersion, kind, plural, namespaced }: ApiResource): ApiResource => ({
  apiVersion,
  kind,
  plural,
  namespaced,
});
const dataOf = (object: KubeObject) => object['data'];

/** The events of a watch until `enough` says so. */
async function eventsUntil(events: AsyncIterable<WatchEvent>, enough: (seen: readonly WatchEvent[]) => boolean) {
  const seen: WatchEvent[] = [];
  for await (const event of events) {
    seen.push(event);
    if (enough(seen)) break;
  }
  return seen;
}

/** What every `Cluster` does, whatever is behind it. `clusterOf` and `features` are called once the suite runs. */
export function clusterContract(clusterOf: () => Cluster, features: () => Features = featuresOf): void {
  let cluster: Cluster;
  beforeAll(() => {
    cluster = clusterOf();
  });

  describe('an object', () => {
    it('is created once, and read back', async () => {
      const made = await cluster.create(ConfigMap, configMap('once', { a: '1' }), write);
      expect(await cluster.get(ConfigMap, target('once'))).toEqual(made);
      await expect(cluster.create(ConfigMap, configMap('once'), write)).rejects.toThrow(AlreadyExistsError);
      await expect(cluster.create(ConfigMap, configMap('once'), write)).rejects.toThrow(
        /^ConfigMap\/default\/once create failed: /,
      );
    });

    it('that is not there is an error that says so', async () => {
      await expect(cluster.get(ConfigMap, target('absent'))).rejects.toThrow(NotFoundError);
      await expect(cluster.delete(ConfigMap, target('absent'))).rejects.toThrow(NotFoundError);
      const patch = { type: 'merge', body: {} } as const;
      for (const call of [
        () => cluster.get(ConfigMap, target('absent')),
        () => cluster.delete(ConfigMap, target('absent')),
        () => cluster.patch(ConfigMap, target('absent'), patch, write),
        () => cluster.create(ConfigMap, { ...configMap('one'), metadata: { name: 'one', namespace: 'absent' } }, write),
      ]) {
        expect(isGone(await call().catch((error: unknown) => error))).toBe(true);
      }
    });

    it.each([
      ['of another group', { apiVersion: 'example.com/v1', kind: 'Unheard', plural: 'unheards', namespaced: true }],
      ['of a group that there is', { apiVersion: 'apps/v1', kind: 'Unheard', plural: 'unheards', namespaced: true }],
      ['in another version', { ...of(Deployment), apiVersion: 'apps/v7' }],
    ])('of a kind that is not served, one %s, is an error that says so', async (_, unserved) => {
      const manifest = { ...configMap('one'), apiVersion: unserved.apiVersion, kind: unserved.kind };
      const events = cluster.watch(unserved, { resourceVersion: '1' });
      for (const call of [
        () => cluster.get(unserved, target('one')),
        () => cluster.list(unserved),
        () => events[Symbol.asyncIterator]().next(),
        () => cluster.create(unserved, manifest, write),
        () => cluster.apply(unserved, manifest, { ...write, force: true }),
        () => cluster.apply(unserved, manifest, { ...write, force: true, subresource: 'status' }),
        () => cluster.patch(unserved, target('one'), { type: 'merge', body: {} }, write),
        () => cluster.delete(unserved, target('one')),
      ]) {
        await expect(call()).rejects.toThrow(KindNotServedError);
      }
    });

    it('is replaced only under the version that was read', async () => {
      const first = await cluster.create(ConfigMap, configMap('versioned', { a: '1' }), write);
      const second = await cluster.update(ConfigMap, { ...first, data: { a: '2' } } as KubeObject, write);
      expect(dataOf(second)).toEqual({ a: '2' });
      await expect(cluster.update(ConfigMap, { ...first, data: { a: '3' } } as KubeObject, write)).rejects.toThrow(
        ConflictError,
      );
    });

    it('is deleted only when it is the very one', async () => {
      const { metadata } = await cluster.create(ConfigMap, configMap('precious'), write);
      await expect(cluster.delete(ConfigMap, target('precious'), { uid: 'another' })).rejects.toThrow(ConflictError);
      await cluster.delete(ConfigMap, target('precious'), { uid: metadata.uid });
      await expect(cluster.get(ConfigMap, target('precious'))).rejects.toThrow(NotFoundError);
    });

    it('is not asked for without its name, as in JavaScript, and no other goes or is shown in its stead', async () => {
      await cluster.create(ConfigMap, configMap('named'), write);
      const nobody = { namespace, name: undefined as never };
      const manifest = { ...configMap('named'), metadata: nobody } as Manifest;
      const empty = { type: 'merge', body: {} } as const;
      for (const ask of [
        (): Promise<unknown> => cluster.get(ConfigMap, nobody),
        () => cluster.patch(ConfigMap, nobody, empty, write),
        () => cluster.apply(ConfigMap, manifest, { ...write, force: true }),
        () => cluster.update(ConfigMap, manifest as KubeObject, write),
        () => cluster.delete(ConfigMap, nobody),
      ]) {
        const answer = Promise.resolve().then(ask);
        await expect(answer).rejects.toThrow('ConfigMap was asked for without a name');
        await expect(answer).rejects.toThrow(OperatorError);
      }
      expect(await cluster.get(ConfigMap, target('named'))).toBeDefined();
    });

    it.each(['', '..', 'a/b', '%2e'])('is not asked for by %j, which no path could hold', async (odd) => {
      const empty = { type: 'merge', body: {} } as const;
      for (const [what, place] of [
        ['name', { namespace, name: odd }],
        ['namespace', { namespace: odd, name: 'one' }],
      ] as const) {
        const manifest = { ...configMap('one'), metadata: place };
        for (const ask of [
          (): Promise<unknown> => cluster.get(ConfigMap, place),
          () => cluster.patch(ConfigMap, place, empty, write),
          () => cluster.apply(ConfigMap, manifest, { ...write, force: true }),
          () => cluster.update(ConfigMap, manifest as Manifest as KubeObject, write),
          () => cluster.delete(ConfigMap, place),
        ]) {
          const error: unknown = await Promise.resolve()
            .then(ask)
            .catch((thrown: unknown) => thrown);
          expect(error).toMatchObject({
            name: 'OperatorError',
            message: `"${odd}" is no ${what} that can stand in a path`,
          });
        }
      }
    });

    it('is applied to only when it is the very one', async () => {
      const { metadata } = await cluster.create(ConfigMap, configMap('very', { a: '1' }), write);
      const apply = (name: string, uid: string) =>
        cluster.apply(ConfigMap, { ...configMap(name, { a: '2' }), metadata: { ...target(name), uid } }, applied);
      const applied = { ...write, force: true };
      await expect(apply('very', '7a0e0c5e-3a43-4d7c-9c35-3d5f6a0f0b11')).rejects.toThrow(ConflictError);
      await expect(apply('gone', metadata.uid)).rejects.toThrow(ConflictError);
      await expect(cluster.get(ConfigMap, target('gone'))).rejects.toThrow(NotFoundError);
      expect(dataOf(await apply('very', metadata.uid))).toEqual({ a: '2' });
    });

    it('is told its status only as it was looked at', async () => {
      const service = { apiVersion: 'v1', kind: 'Service', metadata: target('told') };
      const made = await cluster.create(Service, { ...service, spec: { ports: [{ port: 80 }] } }, write);
      const lastTransitionTime = '2026-01-02T03:04:05Z';
      const conditions = [{ type: 'Told', status: 'True', reason: 'Told', message: '', lastTransitionTime }];
      const tell = (resourceVersion: string) =>
        cluster.apply(
          Service,
          { ...service, metadata: { ...target('told'), resourceVersion }, status: { conditions } },
          { ...write, force: true, subresource: 'status' },
        );
      await expect(tell('1')).rejects.toThrow(ConflictError);
      expect(await cluster.get(Service, target('told'))).not.toMatchObject({ status: { conditions } });
      expect(await tell(made.metadata.resourceVersion)).toMatchObject({ status: { conditions } });
      await cluster.delete(Service, target('told'));
    });

    it('comes with what the server warns of, whatever wrote it', async () => {
      const warnings: string[] = [];
      const told = { ...write, warned: (texts: readonly string[]) => void warnings.push(...texts) };
      const warn = { 'pod-security.kubernetes.io/warn': 'baseline' };
      const metadata = { name: 'warned', labels: warn };
      await cluster.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata }, write);
      const container = { name: 'a', image: 'busybox', securityContext: { privileged: true } };
      const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } };
      const manifest = {
        apiVersion: Deployment.apiVersion,
        kind: Deployment.kind,
        metadata: { name: 'a', namespace: 'warned' },
        spec: { selector: { matchLabels: { a: 'b' } }, template },
      };
      const made = await cluster.create(Deployment, manifest, told);
      const changed = { ...made, spec: { ...(made['spec'] as object), minReadySeconds: 1 } } as KubeObject;
      await cluster.update(Deployment, changed, told);
      await cluster.apply(Deployment, manifest, { ...told, force: true });
      const body = { spec: { minReadySeconds: 2 } };
      await cluster.patch(Deployment, { name: 'a', namespace: 'warned' }, { type: 'merge', body }, told);
      const said = 'privileged (container "a" must not set securityContext.privileged=true)';
      expect(warnings).toEqual(Array(4).fill(`would violate PodSecurity "baseline:latest": ${said}`));
    });

    it('is not changed by a dry run', async () => {
      await cluster.create(ConfigMap, configMap('dry'), { ...write, dryRun: true });
      await expect(cluster.get(ConfigMap, target('dry'))).rejects.toThrow(NotFoundError);
    });
  });

  describe('a patch', () => {
    it('merges', async () => {
      await cluster.create(ConfigMap, configMap('merged', { a: '1', b: '1' }), write);
      const body = { data: { a: null, c: '1' } };
      expect(dataOf(await cluster.patch(ConfigMap, target('merged'), { type: 'merge', body }, write))).toEqual({
        b: '1',
        c: '1',
      });
    });

    it('goes operation by operation, and not at all when a test fails', async () => {
      const { metadata } = await cluster.create(ConfigMap, configMap('operated', { a: '1' }), write);
      const operations = (version: string) => [
        { op: 'test', path: '/metadata/resourceVersion', value: version } as const,
        { op: 'replace', path: '/data/a', value: '2' } as const,
      ];
      const patch = (version: string) =>
        cluster.patch(ConfigMap, target('operated'), { type: 'json', operations: operations(version) }, write);
      await expect(patch('1')).rejects.toThrow(InvalidError);
      expect(dataOf(await patch(metadata.resourceVersion))).toEqual({ a: '2' });
    });

    it('is refused as a conflict when it says under which version, and that is not the present one', async () => {
      const { metadata } = await cluster.create(ConfigMap, configMap('conditional', { a: '1' }), write);
      const operations = (version: string) => [
        { op: 'replace', path: '/metadata/resourceVersion', value: version } as const,
        { op: 'replace', path: '/data/a', value: '2' } as const,
      ];
      const patch = (version: string) =>
        cluster.patch(ConfigMap, target('conditional'), { type: 'json', operations: operations(version) }, write);
      await expect(patch('1')).rejects.toThrow(ConflictError);
      expect(dataOf(await patch(metadata.resourceVersion))).toEqual({ a: '2' });
    });

    it.each<[string, Patch]>([
      ['merge', { type: 'merge', body: { wrong: 'x' } }],
      ['JSON', { type: 'json', operations: [{ op: 'add', path: '/wrong', value: 'x' }] }],
      ['strategic merge', { type: 'strategic', body: { wrong: 'x' } }],
    ])('that cannot be decoded is told without what is in the object: a %s patch', async (kind, patch) => {
      const name = `secret-${kind.replace(' ', '-').toLowerCase()}`;
      const annotations = { 'example.com/note': 'a "secret\\": hunter2' };
      const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace, annotations } };
      await cluster.create(Secret, { ...secret, data: { password: 'aHVudGVyMg==' } }, write);
      const error = await cluster
        .patch(Secret, target(name), patch, { ...write, fieldValidation: 'Strict' })
        .catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(InvalidError);
      const told = inspect(error, { depth: 9 });
      expect(told).toContain('unknown field "wrong"');
      expect(told).not.toMatch(/hunter2|aHVudGVyMg/);
    });

    it('merges lists by their keys', async () => {
      const ports = [{ name: 'a', port: 1 }];
      const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'ported', namespace }, spec: { ports } };
      await cluster.create(Service, service, write);
      const body = { spec: { ports: [{ name: 'b', port: 2 }] } };
      const patched = await cluster.patch(Service, target('ported'), { type: 'strategic', body }, write);
      expect(
        (patched as unknown as { spec: { ports: { name: string }[] } }).spec.ports.map(({ name }) => name).sort(),
      ).toEqual(['a', 'b']);
    });
  });

  describe('an apply', () => {
    const apply = (manifest: Manifest, fieldManager = 'contract', force = false) =>
      cluster.apply(ConfigMap, manifest, { fieldManager, force });

    it('makes, changes and drops what it says', async () => {
      await apply(configMap('applied', { a: '1', b: '1' }));
      expect(dataOf(await apply(configMap('applied', { a: '2' })))).toEqual({ a: '2' });
    });

    it('leaves the version alone when it says nothing new, empty metadata included', async () => {
      const first = await apply(configMap('still', { a: '1' }));
      const { metadata, ...rest } = configMap('still', { a: '1' });
      const again = await apply({
        ...rest,
        metadata: { ...metadata, annotations: {}, labels: {}, finalizers: [], ownerReferences: [] },
      } as Manifest);
      expect(again.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    });

    it('names manager and field when another one owns it, and takes it with force', async () => {
      await apply(configMap('owned', { a: 'theirs' }), 'somebody "else"');
      const refused = apply(configMap('owned', { a: 'ours' }));
      await expect(refused).rejects.toThrow(FieldConflict);
      await expect(refused).rejects.toMatchObject({
        conflicts: [{ field: '.data.a', manager: expect.stringContaining('somebody') }],
      });
      expect(dataOf(await apply(configMap('owned', { a: 'ours' }), 'contract', true))).toEqual({ a: 'ours' });
    });

    it('never sends managedFields', async () => {
      const first = await apply(configMap('read', { a: '1' }));
      const { uid: _, resourceVersion: __, creationTimestamp: ___, ...metadata } = first.metadata;
      expect(dataOf(await apply({ ...first, metadata, data: { a: '2' } } as Manifest))).toEqual({ a: '2' });
    });

    it.each([
      ['a field that does not exist', { spec: { replicaz: 1 } }],
      ['a key of a list twice', { spec: { template: { spec: { containers: [{ name: 'a' }, { name: 'a' }] } } } }],
    ])('of %s can never succeed', async (_, fields) => {
      const manifest = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'wrong', namespace }, ...fields };
      for (const fieldValidation of ['Strict', 'Ignore'] as const) {
        const refused = cluster.apply(Deployment, manifest, { ...write, fieldValidation, force: true });
        await expect(refused).rejects.toThrow(InvalidError);
      }
    });

    it('of an object that is too large can never succeed', async () => {
      await expect(apply(configMap('large', { a: 'x'.repeat(2_000_000) }))).rejects.toThrow(InvalidError);
    });
  });

  describe('a list', () => {
    const labelled = (name: string): Manifest => ({
      ...configMap(name),
      metadata: { name, namespace, labels: { paged: 'yes' } },
    });

    it('comes page by page', async () => {
      for (const name of ['page-a', 'page-b', 'page-c']) await cluster.create(ConfigMap, labelled(name), write);
      const names: string[] = [];
      let next: string | undefined;
      let pages = 0;
      do {
        const page = await cluster.list(ConfigMap, {
          namespace,
          labelSelector: 'paged=yes',
          limit: 2,
          ...(next ? { continue: next } : {}),
        });
        names.push(...page.items.map(({ metadata }) => metadata.name));
        next = page.continue;
        pages++;
      } while (next !== undefined);
      expect(names).toEqual(['page-a', 'page-b', 'page-c']);
      expect(pages).toBe(2);
    });

    it('has items that say what they are', async () => {
      const { items } = await cluster.list(ConfigMap, { namespace });
      expect(items[0]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
    });
  });

  describe('a watch', () => {
    it('tells what comes after a version', async () => {
      const { resourceVersion } = await cluster.list(ConfigMap, { namespace });
      const seen = eventsUntil(
        cluster.watch(ConfigMap, { namespace, resourceVersion }),
        (events) => events.length === 3,
      );
      await cluster.create(ConfigMap, configMap('watched'), write);
      await cluster.patch(ConfigMap, target('watched'), { type: 'merge', body: { data: { a: '1' } } }, write);
      await cluster.delete(ConfigMap, target('watched'));
      expect((await seen).map((event) => event.type)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
    });

    it('begins with what there is, and says when that is complete', async () => {
      const { items } = await cluster.list(ConfigMap, { namespace });
      const events = cluster.watch(ConfigMap, {
        namespace,
        sendInitialEvents: true,
        allowWatchBookmarks: true,
        resourceVersion: '',
      });
      const begun = eventsUntil(events, (all) =>
        all.some((event) => event.type === 'BOOKMARK' && event.initialEventsEnd),
      );
      // By this a reader of lists knows that it has to ask for pages.
      if (!features().streamsLists) return expect(begun).rejects.toThrow(InvalidError);
      const seen = await begun;
      expect(seen.filter(({ type }) => type === 'ADDED')).toHaveLength(items.length);
      expect(seen.at(-1)).toMatchObject({
        type: 'BOOKMARK',
        initialEventsEnd: true,
        resourceVersion: expect.stringMatching(/^\d+$/),
      });
    });

    it('of some seconds says shortly before its end how new it is, where a list made the server look', async () => {
      const { resourceVersion } = await cluster.list(ConfigMap, { namespace });
      await cluster.create(
        Service,
        {
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { name: 'unwatched', namespace },
          spec: { clusterIP: 'None' },
        },
        write,
      );
      await cluster.list(ConfigMap, { namespace, fieldSelector: 'metadata.name=none' });
      const events = cluster.watch(ConfigMap, {
        namespace,
        resourceVersion,
        allowWatchBookmarks: true,
        timeoutSeconds: 5,
      });
      const seen = await eventsUntil(events, () => false);
      // A second one, where the minute in which the server sends them to all ends meanwhile.
      const bookmark = {
        type: 'BOOKMARK',
        initialEventsEnd: false,
        resourceVersion: expect.stringMatching(/^\d+$/) as unknown,
      };
      const least = features().looksWhenListed ? 1 : 0;
      expect(seen).toEqual(Array.from({ length: Math.min(2, Math.max(least, seen.length)) }, () => bookmark));
    }, 20_000);

    it('ends when nobody wants it any more', async () => {
      const stop = new AbortController();
      const events = cluster.watch(ConfigMap, { namespace, resourceVersion: '', signal: stop.signal });
      const reading = eventsUntil(events, () => {
        stop.abort(new Error('enough'));
        return false;
      });
      await expect(reading).rejects.toThrow();
    });
  });
}
