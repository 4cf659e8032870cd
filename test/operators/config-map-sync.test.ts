/** Longer than most files: all that a ConfigMapSync does and refuses, on one kind of cluster. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import type { Condition, KubeObject } from '../../src/index.js';
import { ConfigMapSync, configMapSync } from '../../src/operators/config-map-sync.js';
import { type RunOptions, startCluster, type TestCluster } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';
import { expectGolden } from './golden.js';

const sync = (name: string, namespace: string, spec: object = {}, annotations: Record<string, string> = {}) => ({
  apiVersion: ConfigMapSync.apiVersion,
  kind: ConfigMapSync.kind,
  metadata: { name, namespace, annotations },
  spec: { sourceNamespace: 'team', destinationNamespace: 'shop', configMapName: 'settings', ...spec },
});
const namespace = (name: string, annotations: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, annotations },
});
const source = (data: Record<string, string>, annotations: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'team', annotations },
  data,
});
const acceptsTeam = { 'kilter.dev/accept-from': 'other, team' };

describe('a ConfigMapSync', () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  const start = async (shop: Record<string, string> = acceptsTeam, options: RunOptions = {}) => {
    cluster = await startCluster();
    const controller = await cluster.run(configMapSync, options);
    await cluster.apply(namespace('team'));
    await cluster.apply(namespace('shop', shop));
    await cluster.apply(source({ colour: 'blue' }));
    return controller;
  };
  /** Keeps the copy from going, or lets it go. */
  const hold = (finalizers: readonly string[] | null) =>
    cluster.patch(ConfigMap, 'settings', { metadata: { finalizers } }, { namespace: 'shop' });
  /** The custom resource is deleted, and its copy cannot go. */
  const deleteWhileHeld = async () => {
    await cluster.settled();
    await hold(['x.example.com/y']);
    await cluster.delete(ConfigMapSync, 'one', { namespace: 'team' });
    await cluster.settled();
  };
  const copy = () => cluster.find(ConfigMap, 'settings', { namespace: 'shop' });
  const statusOf = async (name: string, where = 'team') => {
    const { status } = (await cluster.get(ConfigMapSync, name, { namespace: where })) as unknown as KubeObject & {
      status: { conditions: Condition[]; lastSyncTime?: string; inventory?: { entries: { id: string }[] } };
    };
    return status;
  };
  const ready = async (name: string, where = 'team') => conditionIn({ status: await statusOf(name, where) });

  it('copies what its source holds, under its name, without an owner reference', async () => {
    await start();
    await cluster.apply({ ...source({ colour: 'blue' }), binaryData: { logo: 'AAEC' } });
    await cluster.apply(sync('one', 'team'));
    await cluster.settled();
    const made = (await copy()) as KubeObject & { data: object; binaryData: object };
    expect(made.data).toEqual({ colour: 'blue' });
    expect(made.binaryData).toEqual({ logo: 'AAEC' });
    expect(made.metadata.ownerReferences).toBeUndefined();
    expect(made.metadata.labels).toMatchObject({
      'apps.bixbite.io/owner-name': 'one',
      'apps.bixbite.io/owner-namespace': 'team',
    });
    expect(await ready('one')).toMatchObject({ status: 'True' });
    expect((await statusOf('one')).inventory?.entries).toEqual([{ id: 'shop_settings__ConfigMap', v: 'v1' }]);
    expect((await cluster.get(ConfigMapSync, 'one', { namespace: 'team' })).metadata.finalizers).toEqual([
      'apps.bixbite.io/finalizer',
    ]);
  });

  it('follows its source, moves lastSyncTime with it, and writes nothing at rest', async () => {
    await start();
    await cluster.apply(sync('one', 'team'));
    await cluster.settled();
    const { lastSyncTime: before } = await statusOf('one');
    const writes = cluster.writes().length;
    await cluster.patch(ConfigMap, 'settings', { metadata: { labels: { seen: 'yes' } } }, { namespace: 'team' });
    await cluster.advance(3600);
    expect(cluster.writes(writes)).toEqual([]);
    expect((await statusOf('one')).lastSyncTime).toBe(before);

    await cluster.apply(source({ colour: 'red' }));
    await cluster.settled();
    expect(((await copy()) as unknown as { data: object }).data).toEqual({ colour: 'red' });
    const { lastSyncTime: after } = await statusOf('one');
    expect(Date.parse(after!)).toBeGreaterThan(Date.parse(before!));

    // What becomes of the copy in the end is no content.
    await cluster.advance(60);
    await cluster.apply(sync('one', 'team', { deletionPolicy: 'Orphan' }));
    await cluster.settled();
    expect((await statusOf('one')).lastSyncTime).toBe(after);
  });

  it('moves lastSyncTime once for a copy that is made anew with the same content, and not when it starts anew', async () => {
    const controller = await start();
    await cluster.apply(namespace('store', acceptsTeam));
    await cluster.apply(sync('one', 'team'));
    await cluster.settled();
    const time = async () => Date.parse((await statusOf('one')).lastSyncTime ?? '');
    const secondsMovedBy = async (change: () => Promise<unknown>) => {
      const before = await time();
      await cluster.advance(60);
      await change();
      await cluster.settled();
      const after = await time();
      controller.restart();
      await cluster.advance(3600);
      expect(await time()).toBe(after);
      return (after - before) / 1000;
    };
    const at = (namespace: string) => ({ namespace });
    expect(await secondsMovedBy(() => cluster.delete(ConfigMap, 'settings', at('shop')))).toBeGreaterThan(0);
    const elsewhere = sync('one', 'team', { destinationNamespace: 'store' });
    expect(await secondsMovedBy(() => cluster.apply(elsewhere))).toBeGreaterThan(0);
    const label = { metadata: { labels: { seen: 'yes' } } };
    expect(await secondsMovedBy(() => cluster.patch(ConfigMap, 'settings', label, at('store')))).toBe(0);
    expect(await secondsMovedBy(() => cluster.patch(ConfigMapSync, 'one', label, at('team')))).toBe(0);
  });

  it('loses its copy with its source, says so, and makes it again', async () => {
    await start();
    await cluster.apply(sync('one', 'team'));
    await cluster.settled();
    await cluster.delete(ConfigMap, 'settings', { namespace: 'team' });
    await cluster.settled();
    expect(await copy()).toBeUndefined();
    expect(await ready('one')).toMatchObject({
      reason: 'DependencyNotReady',
      message: 'ConfigMap/team/settings is not there',
    });
    await cluster.apply(source({ colour: 'green' }));
    await cluster.settled();
    expect(await copy()).toBeDefined();
    expect(await ready('one')).toMatchObject({ status: 'True' });
  });

  it('keeps its copy when its source goes, and lets go of it when it goes itself, if it is told to orphan it', async () => {
    await start();
    await cluster.apply(sync('one', 'team', { deletionPolicy: 'Orphan' }));
    await cluster.settled();
    await cluster.delete(ConfigMap, 'settings', { namespace: 'team' });
    await cluster.settled();
    expect(await copy()).toBeDefined();
    await cluster.delete(ConfigMapSync, 'one', { namespace: 'team' });
    await cluster.settled();
    expect(await cluster.find(ConfigMapSync, 'one', { namespace: 'team' })).toBeUndefined();
    const left = (await copy())!;
    expect(Object.keys(left.metadata.labels ?? {}).filter((key) => key.startsWith('apps.bixbite.io/'))).toEqual([]);
  });

  it('takes its copy away when it goes, and when it points elsewhere', async () => {
    await start();
    await cluster.apply(namespace('store', acceptsTeam));
    await cluster.apply(sync('one', 'team'));
    await cluster.settled();
    await cluster.apply(sync('one', 'team', { destinationNamespace: 'store' }));
    await cluster.settled();
    expect(await copy()).toBeUndefined();
    expect(await cluster.find(ConfigMap, 'settings', { namespace: 'store' })).toBeDefined();
    expect((await statusOf('one')).inventory?.entries).toEqual([{ id: 'store_settings__ConfigMap', v: 'v1' }]);
    await cluster.delete(ConfigMapSync, 'one', { namespace: 'team' });
    await cluster.settled();
    expect(await cluster.find(ConfigMap, 'settings', { namespace: 'store' })).toBeUndefined();
    expect(await cluster.find(ConfigMapSync, 'one', { namespace: 'team' })).toBeUndefined();
  });

  it('copies nothing without the consent of its destination, says what to annotate, and begins when that is done', async () => {
    await start({});
    await cluster.apply(sync('one', 'team'));
    await cluster.settled();
    expect(await copy()).toBeUndefined();
    expect(await ready('one')).toMatchObject({
      reason: 'ConsentMissing',
      message:
        'ConfigMap/shop/settings is not written: Namespace/shop does not accept it; annotate Namespace/shop with kilter.dev/accept-from: team',
    });
    expect((await cluster.get(ConfigMapSync, 'one', { namespace: 'team' })).metadata.finalizers).toBeUndefined();
    await cluster.apply(namespace('shop', acceptsTeam));
    await cluster.settled();
    expect(await copy()).toBeDefined();
  });

  it.each([
    ['the source', source({ colour: 'blue' }, { 'kilter.dev/share-with': 'shop' })],
    ['its Namespace', namespace('team', { 'kilter.dev/share-with': 'x,shop' })],
  ])('in its destination needs the consent of %s', async (_, consent) => {
    await start({});
    await cluster.apply(sync('two', 'shop'));
    await cluster.settled();
    expect(await copy()).toBeUndefined();
    expect(await ready('two', 'shop')).toMatchObject({
      reason: 'ConsentMissing',
      message:
        'ConfigMap/team/settings is not there, or not shared with namespace shop; annotate it or Namespace/team with kilter.dev/share-with: shop',
    });
    await cluster.apply(consent);
    await cluster.settled();
    expect((await copy())?.metadata.labels).toMatchObject({ 'apps.bixbite.io/owner-namespace': 'shop' });
  });

  it('says the same of a source that is not there as of one that is not shared', async () => {
    await start({});
    await cluster.apply(sync('hidden', 'shop'));
    await cluster.apply(sync('absent', 'shop', { configMapName: 'nothing' }));
    await cluster.settled();
    const [hidden, absent] = [await ready('hidden', 'shop'), await ready('absent', 'shop')];
    expect(absent?.message).toBe(hidden?.message.replace('team/settings', 'team/nothing'));
    expect(absent?.reason).toBe(hidden?.reason);
  });

  it('keeps the copy as it is while its destination accepts no more', async () => {
    await start();
    await cluster.apply(sync('one', 'team'));
    await cluster.settled();
    await cluster.apply(namespace('shop', {}));
    await cluster.apply(source({ colour: 'red' }));
    await cluster.settled();
    expect(((await copy()) as unknown as { data: object }).data).toEqual({ colour: 'blue' });
    expect(await ready('one')).toMatchObject({ reason: 'ConsentMissing' });
    await cluster.delete(ConfigMapSync, 'one', { namespace: 'team' });
    await cluster.settled();
    expect(await copy()).toBeUndefined();
  });

  it('loses the copy when its source is shared no more', async () => {
    await start();
    await cluster.apply(source({ colour: 'blue' }, { 'kilter.dev/share-with': 'shop' }));
    await cluster.apply(sync('two', 'shop'));
    await cluster.settled();
    expect(await copy()).toBeDefined();
    await cluster.apply(source({ colour: 'blue' }));
    await cluster.settled();
    expect(await copy()).toBeUndefined();
  });

  it('needs nobody’s consent where all are one tenant', async () => {
    await start({}, { assumeConsent: true });
    await cluster.apply(sync('three', 'default'));
    await cluster.settled();
    expect(await copy()).toBeDefined();
  });

  it('is refused a destination that another has, by its name, and gets it when that goes', async () => {
    await start();
    await cluster.apply(sync('first', 'team'));
    await cluster.settled();
    await cluster.apply(sync('second', 'team'));
    await cluster.settled();
    expect(await ready('second')).toMatchObject({
      reason: 'ApplyConflict',
      message:
        'ConfigMap/shop/settings is not ours: it exists, and belongs to team/first of apps.bixbite.io; ' +
        'give the child another name, or delete team/first of apps.bixbite.io, which would make it again',
    });
    expect((await copy())?.metadata.labels?.['apps.bixbite.io/owner-name']).toBe('first');
    await cluster.delete(ConfigMapSync, 'second', { namespace: 'team' });
    await cluster.settled();
    expect(await copy()).toBeDefined();
    await cluster.apply(sync('second', 'team'));
    await cluster.settled();
    await cluster.delete(ConfigMapSync, 'first', { namespace: 'team' });
    await cluster.settled();
    expect((await copy())?.metadata.labels?.['apps.bixbite.io/owner-name']).toBe('second');
  });

  it('waits for the finalizers of its copy, and says so', async () => {
    await start();
    await cluster.apply(sync('one', 'team'));
    await deleteWhileHeld();
    expect(await ready('one')).toMatchObject({
      reason: 'Deleting',
      message: 'ConfigMap/shop/settings is being deleted, held by x.example.com/y',
    });
    await hold(null);
    await cluster.settled();
    expect(await cluster.find(ConfigMapSync, 'one', { namespace: 'team' })).toBeUndefined();
  });

  it('goes at once, and leaves its copy, when that is forced', async () => {
    await start();
    await cluster.apply(sync('one', 'team', {}, { 'apps.bixbite.io/force-release': 'true' }));
    await cluster.settled();
    await cluster.delete(ConfigMapSync, 'one', { namespace: 'team' });
    await cluster.settled();
    expect(await cluster.find(ConfigMapSync, 'one', { namespace: 'team' })).toBeUndefined();
    expect(await copy()).toBeDefined();
  });

  it('waits, and says why, when it is forced by a word that does not count', async () => {
    await start();
    await cluster.apply(sync('one', 'team', {}, { 'apps.bixbite.io/force-release': 'yes' }));
    await deleteWhileHeld();
    expect(await ready('one')).toMatchObject({
      reason: 'Deleting',
      message:
        'ConfigMap/shop/settings is being deleted, held by x.example.com/y; ' +
        'the annotation apps.bixbite.io/force-release is "yes", and only "true" lets it go',
    });
  });

  it('is finished by a controller that starts while it is being deleted', async () => {
    const controller = await start();
    await cluster.apply(sync('one', 'team'));
    await cluster.settled();
    controller.crash();
    await cluster.delete(ConfigMapSync, 'one', { namespace: 'team' });
    controller.restart();
    await cluster.settled();
    expect(await copy()).toBeUndefined();
    expect(await cluster.list(ConfigMapSync)).toEqual([]);
  });

  it('ends as if nothing had happened, at whatever write its controller is killed', async () => {
    const play = async (death?: { at: number; when: 'before' | 'after' }) => {
      const controller = await start();
      await cluster.apply(namespace('store', acceptsTeam));
      let died = false;
      const crashAt = () => {
        if (death?.when === 'before') controller.faults.crashBefore({ verb: 'write' });
        else if (death) controller.faults.crashAfter({ verb: 'write' });
      };
      let writes = 1;
      if (death?.at === 1) crashAt();
      controller.faults.observe(({ verb }) => {
        if (!['get', 'list', 'watch'].includes(verb) && ++writes === death?.at) crashAt();
      });
      const goOn = async () => {
        for (let round = 0; round < 3; round++) {
          await cluster.settled();
          if (!controller.isRunning) {
            died = true;
            controller.restart();
          }
        }
      };
      await cluster.apply(sync('one', 'team'));
      await goOn();
      await cluster.apply(sync('one', 'team', { destinationNamespace: 'store' }));
      await goOn();
      const copies = async () =>
        (await cluster.list(ConfigMap))
          .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
          .filter((each) => each.endsWith('/settings'));
      const middle = await copies();
      const { inventory } = await statusOf('one');
      await cluster.delete(ConfigMapSync, 'one', { namespace: 'team' });
      await goOn();
      const end = await copies();
      const left = (await cluster.list(ConfigMapSync)).length;
      const total = cluster.writes().length;
      await cluster.stop();
      return { died, total, middle, inventory, end, left };
    };
    const { total, died: _, ...undisturbed } = await play();
    expect(undisturbed).toMatchObject({ end: ['team/settings'], left: 0 });
    expect(undisturbed.middle.sort()).toEqual(['store/settings', 'team/settings']);
    for (const when of ['before', 'after'] as const) {
      for (let at = 1; at <= total; at++) {
        const { total: _total, died, ...disturbed } = await play({ at, when });
        expect({ at, when, died, ...disturbed }).toEqual({ at, when, died: true, ...undisturbed });
      }
    }
    await start();
  });

  it.each([
    [{ sourceNamespace: 'a/b' }, 'spec.sourceNamespace'],
    [{ destinationNamespace: 'shop,team' }, 'spec.destinationNamespace'],
    [{ configMapName: '../settings' }, 'spec.configMapName'],
    [{ configMapName: 'a..b' }, 'spec.configMapName'],
    [{ configMapName: 'a.-b' }, 'spec.configMapName'],
    [{ destinationNamespace: 'team' }, 'destinationNamespace must be another namespace than sourceNamespace'],
  ])('is refused with %j', async (spec, words) => {
    await start();
    await expect(cluster.apply(sync('bad', 'team', spec))).rejects.toThrow(words);
  });

  it('composes a copy for Git to own', async () => {
    await start();
    const written = { metadata: { name: 'one', namespace: 'team' }, spec: sync('one', 'team').spec };
    const there = {
      ...source({ colour: 'blue' }),
      metadata: { name: 'settings', namespace: 'team', uid: '1', resourceVersion: '1' },
    };
    expectGolden('config-map-sync', configMapSync.desired(written, { source: there }));
    expectGolden('config-map-sync-definition', [ConfigMapSync.crd()]);
  });
});
