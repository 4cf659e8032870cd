/** Longer than most files: one life, told in order, and what it survives, on one cluster. */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { ConfigMapSync } from '../../src/operators/config-map-sync.js';
import { eventually } from '../cluster/eventually.js';
import { onEveryCluster } from '../cluster/on-real-cluster.js';
import type { CommonStatus } from '../cluster/stage.js';
import { ConfigMapSyncStage, type Copy } from './config-map-sync-stage.js';

interface Status extends CommonStatus {
  readonly lastSyncTime?: string;
  readonly inventory?: { readonly entries: readonly { readonly id: string }[] };
}

onEveryCluster('the life of a ConfigMapSync', { controllerManager: true, audit: true }, (plane) => {
  const stage = new ConfigMapSyncStage(plane);
  const isWrite = (verb: string) => !['get', 'list', 'watch'].includes(verb);
  const source = (name: string, data: Record<string, string>) => stage.data('team', name, data);
  const sync = (name: string, spec: object = {}) =>
    stage.wish(
      ConfigMapSync,
      { namespace: 'team', name },
      { sourceNamespace: 'team', destinationNamespace: 'shop', configMapName: name, ...spec },
    );
  const copy = (name: string, where = 'shop') => stage.copy(where, name);
  const statusOf = (name: string) => stage.status<Status>(ConfigMapSync, { namespace: 'team', name });
  const ready = (name: string) => stage.syncReady('team', name);
  const isReady = (name: string) => stage.isReady('team', name);
  const isGone = (name: string) => stage.isGone('team', name);

  beforeAll(async () => {
    await stage.namespace('team');
    await stage.namespace('shop', { 'kilter.dev/accept-from': 'team' });
    await stage.namespace('store', { 'kilter.dev/accept-from': 'team' });
  });

  it('begins with a copy, and shows itself in kubectl', async () => {
    await source('settings', { colour: 'blue' });
    await sync('settings');
    await isReady('settings');
    expect((await copy('settings'))?.data).toEqual({ colour: 'blue' });
    const { stdout } = await plane().kubectl(['get', 'configmapsyncs', '-n', 'team']);
    expect(stdout.split('\n')[0]?.trim().split(/\s+/)).toEqual([
      'NAME',
      'SOURCE',
      'DESTINATION',
      'CONFIGMAP',
      'LAST',
      'SYNC',
      'READY',
      'STATUS',
      'AGE',
    ]);
  });

  it('follows its source, and then moves lastSyncTime', async () => {
    const { lastSyncTime: before = '' } = await statusOf('settings');
    await sleep(1100);
    await source('settings', { colour: 'red', size: 'large' });
    await eventually(async () => expect((await copy('settings'))?.data).toEqual({ colour: 'red', size: 'large' }));
    await eventually(async () => expect((await statusOf('settings')).lastSyncTime! > before).toBe(true));
    await source('settings', { colour: 'red' });
    await eventually(async () => expect((await copy('settings'))?.data).toEqual({ colour: 'red' }));
  });

  it.each<[string, object]>([
    ['a value that was changed', { data: { colour: 'black' } }],
    ['a key that was removed', { data: { colour: null } }],
    ['a key that was moved to the binary ones', { data: { colour: null }, binaryData: { colour: 'AAEC' } }],
    ['a label that says whose it is', { metadata: { labels: { 'apps.bixbite.io/owner-uid': null } } }],
  ])('puts back %s', async (_, body) => {
    await stage.quiet();
    const { metadata, ...wanted } = (await copy('settings'))!;
    await stage.change(ConfigMap, { name: 'settings', namespace: 'shop' }, body, 'a-person');
    await eventually(async () => {
      const { metadata: now, ...rest } = (await copy('settings'))!;
      expect({ ...rest, labels: now.labels }).toEqual({ ...wanted, labels: metadata.labels });
      expect(now.resourceVersion).not.toBe(metadata.resourceVersion);
    });
  });

  it('gets a key that its source has as a binary one, where somebody has put it among the others before', async () => {
    const target = { name: 'settings', namespace: 'shop' };
    await stage.change(ConfigMap, target, { data: { logo: 'none', note: 'theirs' } }, 'a-person');
    await stage.quiet();
    const binaryData = { logo: 'AAEC' };
    await stage.change(ConfigMap, { name: 'settings', namespace: 'team' }, { binaryData }, 'a-person');
    await eventually(async () =>
      expect(await copy('settings')).toMatchObject({ data: { colour: 'red', note: 'theirs' }, binaryData }),
    );
    await stage.change(ConfigMap, { name: 'settings', namespace: 'team' }, { binaryData: null }, 'a-person');
    await stage.change(ConfigMap, target, { data: { note: null } }, 'a-person');
    await isReady('settings');
    await stage.quiet();
    const { data, binaryData: none } = (await copy('settings')) as Copy & { readonly binaryData?: object };
    expect([data, none]).toEqual([{ colour: 'red' }, undefined]);
  });

  it('makes a copy anew that somebody has made immutable, once its source says something else', async () => {
    const { uid } = (await copy('settings'))!.metadata;
    await stage.change(ConfigMap, { name: 'settings', namespace: 'shop' }, { immutable: true }, 'a-person');
    await source('settings', { colour: 'green' });
    await eventually(async () => expect((await copy('settings'))?.data).toEqual({ colour: 'green' }));
    expect((await copy('settings'))?.metadata.uid).not.toBe(uid);
    await source('settings', { colour: 'red' });
    await isReady('settings');
    await eventually(async () => expect((await copy('settings'))?.data).toEqual({ colour: 'red' }));
  });

  it('makes a copy again that was deleted', async () => {
    const { uid } = (await copy('settings'))!.metadata;
    await stage.admin.delete(ConfigMap, { name: 'settings', namespace: 'shop' });
    await eventually(async () => {
      const again = await copy('settings');
      expect(again).toBeDefined();
      expect(again?.metadata.uid).not.toBe(uid);
    });
  });

  it('leaves a destination to whoever has it, and names them', async () => {
    await sync('second', { configMapName: 'settings' });
    await eventually(async () =>
      expect((await ready('second'))?.message).toContain(
        'ConfigMap/shop/settings is not ours: it exists, and belongs to team/settings of apps.bixbite.io',
      ),
    );
    await stage.admin.delete(ConfigMapSync, { name: 'second', namespace: 'team' });
    await isGone('second');
    expect(await copy('settings')).toBeDefined();
  });

  it('is written to neither at rest nor by a controller that starts anew', async () => {
    await stage.quiet();
    const writes = await stage.writesDuring(async () => {
      stage.controller.restart();
      await stage.quiet();
      await sleep(500);
    });
    expect(writes).toEqual([]);
  });

  it('moves its copy with its destination', async () => {
    await sync('settings', { destinationNamespace: 'store' });
    await eventually(async () => expect(await copy('settings', 'store')).toBeDefined());
    await eventually(async () => expect(await copy('settings')).toBeUndefined());
    await eventually(async () =>
      expect((await statusOf('settings')).inventory?.entries).toEqual([{ id: 'store_settings__ConfigMap', v: 'v1' }]),
    );
  });

  it('loses its copy with its source, and gets it back', async () => {
    await stage.admin.delete(ConfigMap, { name: 'settings', namespace: 'team' });
    await eventually(async () => expect(await copy('settings', 'store')).toBeUndefined());
    await eventually(async () => expect((await ready('settings'))?.reason).toBe('DependencyNotReady'));
    await source('settings', { colour: 'green' });
    await isReady('settings');
    expect(await copy('settings', 'store')).toBeDefined();
  });

  it('ends with its copy, after those who hold it', async () => {
    const at = { name: 'settings', namespace: 'store' };
    await stage.change(ConfigMap, at, { metadata: { finalizers: ['x.example.com/y'] } });
    await stage.admin.delete(ConfigMapSync, { name: 'settings', namespace: 'team' });
    await eventually(async () =>
      expect((await ready('settings'))?.message).toBe(
        'ConfigMap/store/settings is being deleted, held by x.example.com/y',
      ),
    );
    await stage.change(ConfigMap, at, { metadata: { finalizers: null } });
    await isGone('settings');
    expect(await copy('settings', 'store')).toBeUndefined();
  });

  it('leaves an orphan that nobody owns any more', async () => {
    await source('orphan', { colour: 'grey' });
    await sync('orphan', { deletionPolicy: 'Orphan' });
    await isReady('orphan');
    await stage.admin.delete(ConfigMapSync, { name: 'orphan', namespace: 'team' });
    await isGone('orphan');
    const labels = Object.keys((await copy('orphan'))?.metadata.labels ?? {});
    expect(labels.filter((label) => label.startsWith('apps.bixbite.io/'))).toEqual([]);
  });

  it('ends as if nothing had happened, at whatever write its controller is killed', async () => {
    const { controller, admin } = stage;
    let runs = 0;
    const play = async (death?: { readonly at: number; readonly when: 'before' | 'after' }) => {
      const name = `run-${++runs}`;
      await source(name, { colour: 'blue' });
      let sent = 0;
      let died = false;
      const plan = () => {
        if (death?.when === 'before') controller.faults.crashBefore({ verb: 'write' });
        else if (death) controller.faults.crashAfter({ verb: 'write' });
      };
      if (death?.at === 1) plan();
      const stopCounting = controller.faults.observe(({ verb, kind }) => {
        if (isWrite(verb) && kind !== 'Event' && ++sent + 1 === death?.at) plan();
      });
      const alive = async () => {
        if (controller.isRunning) return;
        died = true;
        controller.restart();
      };
      const settled = (check: () => Promise<void>) =>
        eventually(async () => {
          await alive();
          await check();
          expect(controller.isIdle).toBe(true);
        }, 20);
      const inventory = async (...ids: readonly string[]) =>
        expect((await statusOf(name)).inventory?.entries.map(({ id }) => id)).toEqual(ids);
      try {
        await sync(name);
        await settled(async () => {
          expect(await ready(name)).toMatchObject({ status: 'True' });
          await inventory(`shop_${name}__ConfigMap`);
        });
        await sync(name, { destinationNamespace: 'store' });
        await settled(async () => {
          expect(await copy(name)).toBeUndefined();
          expect(await copy(name, 'store')).toBeDefined();
          await inventory(`store_${name}__ConfigMap`);
        });
        await admin.delete(ConfigMapSync, { name, namespace: 'team' });
        await settled(async () => {
          expect(await admin.get(ConfigMapSync, { name, namespace: 'team' }).catch(() => undefined)).toBeUndefined();
        });
        expect([await copy(name), await copy(name, 'store')]).toEqual([undefined, undefined]);
        expect(await admin.get(ConfigMap, { name, namespace: 'team' })).toBeDefined();
      } catch (error) {
        throw new Error(`killed ${death?.when} write ${death?.at}`, { cause: error });
      } finally {
        stopCounting();
        controller.faults.clear();
        await alive();
      }
      return { died, sent };
    };
    let fewest = (await play()).sent;
    for (const when of ['before', 'after'] as const) {
      for (let at = 1, misses = 0; at <= fewest; ) {
        const { died, sent } = await play({ at, when });
        if (died) [at, misses] = [at + 1, 0];
        // Two states are told in one where both are seen at once: whoever did not die had fewer writes.
        else expect({ at, when, isFewer: sent < at }).toEqual({ at, when, isFewer: true });
        if (!died && ++misses === 5) fewest = sent;
      }
    }
    expect(fewest).toBeGreaterThanOrEqual(8);
  }, 240_000);
});
