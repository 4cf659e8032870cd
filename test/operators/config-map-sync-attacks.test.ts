/** Longer than most files: a table of attacks, one line each. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigMap, Namespace, Secret } from '../../imports/k8s.js';
import type { Manifest } from '../../src/index.js';
import { ConfigMapSync } from '../../src/operators/config-map-sync.js';
import { eventually } from '../cluster/eventually.js';
import { onEveryCluster } from '../cluster/on-real-cluster.js';
import { ConfigMapSyncStage } from './config-map-sync-stage.js';

/**
 * Everything is in one cluster: `mallory` may write whatever she likes in her own namespace, and nothing else. Victims
 * share and accept among each other, so that there is something to abuse.
 */
const secret = 'the-password-of-victims';
const everything: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  mallory: { 'kilter.dev/accept-from': 'bank,shop,kube-system', 'kilter.dev/share-with': 'bank,shop,kube-system' },
  bank: { 'kilter.dev/share-with': 'shop', 'kilter.dev/accept-from': 'shop' },
  shop: { 'kilter.dev/accept-from': 'bank', 'kilter.dev/share-with': 'bank' },
  almost: {
    'kilter.dev/accept-from': 'mallory2,xmallory,mallory-x,Mallory,"mallory"',
    'kilter.dev/share-with': 'mallor',
  },
  open: { 'kilter.dev/accept-from': '*', 'kilter.dev/share-with': '*' },
  wrong: { 'kilter.dev/acceptfrom': 'mallory', 'example.com/share-with': 'mallory' },
};

interface Attack {
  readonly title: string;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly extra?: Readonly<Record<string, unknown>>;
  /** What she does in her own namespace before. */
  readonly own?: Manifest;
}
const mine = (spec: object, title: string, rest: Partial<Attack> = {}): Attack => ({
  title,
  spec: { sourceNamespace: 'mallory', destinationNamespace: 'bank', configMapName: 'loot', ...spec },
  ...rest,
});
const reading = (spec: object, title: string, rest: Partial<Attack> = {}): Attack =>
  mine({ sourceNamespace: 'bank', destinationNamespace: 'mallory', configMapName: 'vault', ...spec }, title, rest);
const ownSource = (metadata: object, name = 'loot'): Manifest => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'mallory', ...metadata },
  data: { note: 'mallory was here' },
});

const hostileNames = [
  ...[
    'bank/configmaps/vault',
    '../bank',
    'bank%2Fvault',
    'bank,mallory',
    'bank mallory',
    'bank\nmallory',
    'bank\u0000',
  ],
  ...[
    'bank_vault__ConfigMap',
    'BANK',
    'bank.',
    '.bank',
    '-bank',
    '*',
    '',
    ' ',
    'ba\u200bnk',
    '$(bank)',
    'bank;rm',
    'x'.repeat(64),
  ],
];
const attacks: readonly Attack[] = [
  reading({}, 'reads what she may not'),
  reading({ sourceNamespace: 'shop' }, 'reads in another namespace that shares with others'),
  reading({ sourceNamespace: 'kube-system', configMapName: 'extension-apiserver-authentication' }, 'reads kube-system'),
  reading({ sourceNamespace: 'almost' }, 'reads where names like hers are listed'),
  reading({ sourceNamespace: 'open' }, 'reads where a star is written'),
  reading({ sourceNamespace: 'wrong' }, 'reads where another annotation names her'),
  reading({ configMapName: 'password' }, 'reads a Secret as if it were a ConfigMap'),
  reading({ deletionPolicy: 'Orphan' }, 'reads with an orphan'),
  reading({ destinationNamespace: 'shop' }, 'makes one victim copy to another that agree with each other'),
  reading({ sourceNamespace: 'shop', destinationNamespace: 'bank' }, 'the same the other way round'),
  reading({}, 'says that she has the consent of her victim', {
    metadata: { annotations: { 'kilter.dev/share-with': 'mallory', 'kilter.dev/accept-from': 'bank' } },
  }),
  mine({}, 'writes where she may not'),
  mine({ configMapName: 'vault' }, 'overwrites what is there', { own: ownSource({}, 'vault') }),
  mine({ destinationNamespace: 'shop' }, 'writes where others may'),
  mine({ destinationNamespace: 'almost' }, 'writes where names like hers are listed'),
  mine({ destinationNamespace: 'open' }, 'writes where a star is written'),
  mine({ destinationNamespace: 'wrong' }, 'writes where another annotation names her'),
  mine({ destinationNamespace: 'kube-system', configMapName: 'coredns' }, 'writes to kube-system', {
    own: ownSource({}, 'coredns'),
  }),
  mine({ destinationNamespace: 'kube-public' }, 'writes to kube-public'),
  mine({ destinationNamespace: 'configmapsync-operator-system' }, 'writes where the operator lives'),
  mine({ destinationNamespace: 'absent' }, 'writes to a namespace that there is not'),
  mine({ configMapName: 'kube-root-ca.crt' }, 'replaces the certificate of a cluster', {
    own: ownSource({}, 'kube-root-ca.crt'),
  }),
  mine({ deletionPolicy: 'Orphan' }, 'leaves an orphan with others'),
  mine({}, 'has a source that says it may', {
    own: ownSource({ annotations: { 'kilter.dev/accept-from': 'mallory', 'kilter.dev/share-with': 'bank' } }),
  }),
  mine({}, 'has a source with labels of another owner', {
    own: ownSource({ labels: { 'apps.bixbite.io/owner-uid': 'x', 'apps.bixbite.io/owner-name': 'payments' } }),
  }),
  ...[
    'argocd.argoproj.io/tracking-id',
    'argocd.argoproj.io/hook',
    'argocd.argoproj.io/sync-options',
    'meta.helm.sh/release-name',
  ].map((key) =>
    mine({}, `copies ${key} of Argo CD or Helm`, {
      metadata: { annotations: { [key]: 'bank:/ConfigMap:bank/vault' } },
    }),
  ),
  mine({}, 'copies the label of an application', { metadata: { labels: { 'app.kubernetes.io/instance': 'bank' } } }),
  mine({}, 'asks to be forced', { metadata: { annotations: { 'apps.bixbite.io/force-release': 'true' } } }),
  mine({}, 'asks for another mode', { metadata: { annotations: { 'apps.bixbite.io/mode': 'enforce' } } }),
  mine({}, 'asks for an empty composition', { metadata: { annotations: { 'apps.bixbite.io/allow-empty': 'true' } } }),
  mine({}, 'has an owner in another namespace', {
    metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'vault', uid: '0', controller: true }] },
  }),
  mine({}, 'has the finalizer before', { metadata: { finalizers: ['apps.bixbite.io/finalizer'] } }),
  mine({}, 'has a name as long as names are', { metadata: { name: `m${'-x'.repeat(120)}` } }),
  mine({}, 'has a status with an inventory', {
    extra: { status: { inventory: { entries: [{ id: 'bank_vault__ConfigMap', v: 'v1' }] } } },
  }),
  mine({}, 'has a status with an inventory, and the finalizer, before she is deleted', {
    metadata: { finalizers: ['apps.bixbite.io/finalizer'] },
    extra: { status: { inventory: { entries: [{ id: 'shop_stock__ConfigMap', v: 'v1' }] } } },
  }),
  mine({ namespace: 'bank' }, 'has a field that there is not'),
  mine({ sourceNamespace: ['mallory', 'bank'] }, 'has a list for a name'),
  mine({ sourceNamespace: { name: 'bank' } }, 'has a map for a name'),
  mine({ destinationNamespace: null }, 'has null for a name'),
  mine({ deletionPolicy: 'Steal' }, 'has a policy that there is not'),
  mine({ destinationNamespace: 'mallory' }, 'copies to itself'),
  ...hostileNames.flatMap((name) => [
    reading({ sourceNamespace: name }, `reads in ${JSON.stringify(name)}`),
    mine({ destinationNamespace: name }, `writes to ${JSON.stringify(name)}`),
  ]),
  ...['../../bank/configmaps/vault', 'vault?fieldManager=x', 'vault/status', 'vault#', ''].map((configMapName) =>
    reading({ configMapName }, `reads ${JSON.stringify(configMapName)}`),
  ),
];

onEveryCluster('attacks by ConfigMapSyncs', { controllerManager: true, audit: true }, (plane) => {
  const stage = new ConfigMapSyncStage(plane);
  let before: readonly string[];
  const person = { fieldManager: 'a-person', force: true };

  /** All that is not hers, as it would be seen to be touched. */
  const world = async () => {
    const lists = await Promise.all([ConfigMap, Secret, Namespace].map((kind) => stage.admin.list(kind)));
    return lists
      .flatMap(({ items }) => items)
      .filter(({ kind, metadata }) => kind === 'Namespace' || metadata.namespace !== 'mallory')
      .map((object) => JSON.stringify([object.kind, object.metadata, object['data']]))
      .sort();
  };
  const hers = async () => {
    const { items } = await stage.admin.list(ConfigMap, { namespace: 'mallory' });
    const syncs = (await stage.admin.list(ConfigMapSync, { namespace: 'mallory' })).items;
    const events = await plane().kubectl(['get', 'events', '-n', 'mallory', '-o', 'json']);
    return JSON.stringify([items, syncs]) + events.stdout;
  };
  const data = (where: string, name: string, annotations: Readonly<Record<string, string>> = {}) =>
    stage.data(where, name, { secret }, annotations);
  const sync = (name: string, spec: object, namespace: string) => stage.wish(ConfigMapSync, { namespace, name }, spec);
  const conditionsOf = (namespace: string, name: string) => stage.conditions(ConfigMapSync, { namespace, name });

  beforeAll(async () => {
    for (const [each, annotations] of Object.entries(everything)) {
      await stage.namespace(each, annotations);
      for (const name of ['vault', 'stock']) if (each !== 'mallory') await data(each, name);
    }
    const password = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'password', namespace: 'bank' } };
    await stage.admin.apply(Secret, { ...password, stringData: { password: secret } }, person);
    await stage.admin.apply(ConfigMap, ownSource({}), person);
    // What the cluster itself writes into new namespaces is there before.
    await eventually(async () => {
      const { items } = await stage.admin.list(ConfigMap, { fieldSelector: 'metadata.name=kube-root-ca.crt' });
      expect(items.length).toBe((await stage.admin.list(Namespace)).items.length);
    }, 20);
    before = await world();
  });

  it('are at least fifty', () => {
    expect(new Set(attacks.map(({ title }) => title)).size).toBe(attacks.length);
    expect(attacks.length).toBeGreaterThanOrEqual(50);
  });

  describe('have no effect across a boundary', () => {
    it.each(attacks.map((attack, index) => [attack.title, attack, index] as const))(
      'when one %s',
      async (_, attack, index) => {
        if (attack.own) await stage.admin.apply(ConfigMap, attack.own, person);
        const name = (attack.metadata?.['name'] as string | undefined) ?? `attack-${index}`;
        const target = { namespace: 'mallory', name };
        const accepted = await stage.admin
          .create(
            ConfigMapSync,
            {
              apiVersion: ConfigMapSync.apiVersion,
              kind: ConfigMapSync.kind,
              ...attack.extra,
              metadata: { ...attack.metadata, ...target },
              spec: attack.spec,
            },
            { fieldManager: 'mallory' },
          )
          .then(
            () => true,
            () => false,
          );
        await stage.quiet(0.1);
        if (accepted) {
          await eventually(async () => {
            // One with an owner that there is not may be gone by now.
            const [ready] = await conditionsOf('mallory', name).catch(() => [{ type: 'Ready', status: 'False' }]);
            expect(ready).toMatchObject({ type: 'Ready', status: 'False' });
          });
        }
        expect(await world()).toEqual(before);
        expect(await hers()).not.toContain(secret);

        if (accepted) await stage.admin.delete(ConfigMapSync, target).catch(() => {});
        await eventually(() => expect(stage.admin.get(ConfigMapSync, target)).rejects.toThrow('not found'));
        expect(await world()).toEqual(before);
        if (attack.own && attack.own.metadata.name === 'loot')
          await stage.admin.apply(ConfigMap, ownSource({}), person);
      },
    );
  });

  describe('that begin with consent', () => {
    const vault = { sourceNamespace: 'bank', destinationNamespace: 'shop', configMapName: 'ledger' };
    const copy = () => stage.copy('shop', 'ledger');
    const isCopied = () => eventually(async () => expect(await copy()).toBeDefined());
    beforeAll(async () => {
      await data('bank', 'ledger');
    });

    it('end with the consent of the destination: nothing is written any more', async () => {
      await sync('lent', vault, 'bank');
      await isCopied();
      await stage.namespace('shop', {});
      await eventually(async () => expect((await conditionsOf('bank', 'lent'))[0]?.reason).toBe('ConsentMissing'));
      const { resourceVersion } = (await copy())!.metadata;
      await stage.change(ConfigMap, { namespace: 'bank', name: 'ledger' }, { data: { secret: 'another' } }, 'a-person');
      await stage.quiet(0.1);
      expect((await copy())!.metadata.resourceVersion).toBe(resourceVersion);
      await stage.namespace('shop', everything['shop']!);
      await eventually(async () => expect((await copy())?.['data']).toEqual({ secret: 'another' }));
      await stage.admin.delete(ConfigMapSync, { namespace: 'bank', name: 'lent' });
      await eventually(async () => expect(await copy()).toBeUndefined());
    });

    it('end with the consent of the source: the copy goes', async () => {
      await stage.namespace('shop', {});
      await sync('borrowed', vault, 'shop');
      await isCopied();
      await stage.namespace('bank', {});
      await eventually(async () => expect(await copy()).toBeUndefined());
      await stage.namespace('bank', everything['bank']!);
      await isCopied();
      await stage.admin.delete(ConfigMapSync, { namespace: 'shop', name: 'borrowed' });
      await eventually(async () => expect(await copy()).toBeUndefined());
      await stage.namespace('shop', everything['shop']!);
    });

    it('do not go on with a source that was replaced by one that is not shared, or by another kind', async () => {
      await stage.namespace('bank', {});
      await data('bank', 'ledger', { 'kilter.dev/share-with': 'shop' });
      await sync('borrowed', vault, 'shop');
      await isCopied();
      await stage.admin.delete(ConfigMap, { namespace: 'bank', name: 'ledger' });
      await data('bank', 'ledger');
      const secretOfThatName = {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'ledger', namespace: 'bank', annotations: { 'kilter.dev/share-with': 'shop' } },
      };
      await stage.admin.apply(Secret, { ...secretOfThatName, stringData: { secret } }, person);
      await eventually(async () => expect(await copy()).toBeUndefined());
      await stage.quiet(0.1);
      expect(await copy()).toBeUndefined();
      await stage.admin.delete(ConfigMapSync, { namespace: 'shop', name: 'borrowed' });
      await stage.namespace('bank', everything['bank']!);
    });

    it('do not take what somebody made in the place of a copy, nor delete it later', async () => {
      const forged = await data('shop', 'ledger');
      await sync('lent', vault, 'bank');
      await eventually(async () => expect((await conditionsOf('bank', 'lent'))[0]?.reason).toBe('ApplyConflict'));
      await stage.admin.delete(ConfigMapSync, { namespace: 'bank', name: 'lent' });
      await eventually(() =>
        expect(stage.admin.get(ConfigMapSync, { namespace: 'bank', name: 'lent' })).rejects.toThrow('not found'),
      );
      expect((await copy())?.metadata.resourceVersion).toBe(forged.metadata.resourceVersion);
      await stage.admin.delete(ConfigMap, { namespace: 'shop', name: 'ledger' });
    });

    it('do not delete what somebody labelled as a copy', async () => {
      await sync('lent', vault, 'bank');
      await isCopied();
      const { labels = {} } = (await copy())!.metadata;
      const twin = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'twin', namespace: 'shop', labels } };
      await stage.admin.apply(ConfigMap, twin, person);
      await stage.admin.delete(ConfigMapSync, { namespace: 'bank', name: 'lent' });
      await eventually(async () => expect(await copy()).toBeUndefined());
      expect(await stage.admin.get(ConfigMap, { namespace: 'shop', name: 'twin' })).toBeDefined();
    });
  });
});
