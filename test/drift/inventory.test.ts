import { describe, expect, it } from '@jest/globals';
import { entryOf, inventoryOf, isSameInventory, refOfEntry, united } from '../../src/drift/inventory.js';

const ref = (name: string, namespace?: string, apiVersion = 'v1', kind = 'ConfigMap') => ({
  apiVersion,
  kind,
  name,
  ...(namespace === undefined ? {} : { namespace }),
});

describe('an inventory', () => {
  it.each([
    [ref('settings', 'shop'), { id: 'shop_settings__ConfigMap', v: 'v1' }],
    [ref('web', 'shop', 'apps/v1', 'Deployment'), { id: 'shop_web_apps_Deployment', v: 'v1' }],
    [ref('shop', undefined, 'v1', 'Namespace'), { id: '_shop__Namespace', v: 'v1' }],
    [
      ref('system:web', undefined, 'rbac.authorization.k8s.io/v1', 'ClusterRole'),
      { id: '_system__web_rbac.authorization.k8s.io_ClusterRole', v: 'v1' },
    ],
  ])('has %j as Flux writes it, and reads it back', (given, entry) => {
    expect(entryOf(given)).toEqual(entry);
    expect(refOfEntry(entry)).toEqual(given);
  });

  it.each(['', 'settings', 'a_b', '____', 'shop__v1'])('passes over "%s", which is no entry', (id) => {
    expect(inventoryOf({ status: { inventory: { entries: [{ id, v: 'v1' }] } } } as never)).toEqual([]);
  });

  it.each([undefined, {}, { inventory: null }, { inventory: { entries: 'all' } }])(
    'is empty in the status %j',
    (status) => {
      expect(inventoryOf({ status } as never)).toEqual([]);
    },
  );

  it('unites in the order in which children were made, whatever their version', () => {
    const known = [ref('b', 'shop'), ref('a', 'shop', 'apps/v1beta1', 'Deployment')];
    const more = [ref('a', 'shop', 'apps/v1', 'Deployment'), ref('c', 'shop')];
    expect(united(known, more).map(({ name }) => name)).toEqual(['b', 'a', 'c']);
  });

  it('is the same in another order, and another when one is missing', () => {
    const [one, two] = [ref('a', 'x'), ref('b', 'x')];
    expect(isSameInventory([one, two], [two, one])).toBe(true);
    expect(isSameInventory([one, two], [one])).toBe(false);
  });
});
