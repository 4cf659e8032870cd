import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import {
  entryOf,
  InventoryError,
  InventoryNameError,
  inventoryFor,
  inventoryOf,
  isSameInventory,
  refOfEntry,
  united,
} from '../../src/drift/inventory.js';
import type { KubeObject } from '../../src/kube/manifest.js';

const ref = (name: string, namespace?: string, apiVersion = 'v1', kind = 'ConfigMap') => ({
  apiVersion,
  kind,
  name,
  ...(namespace === undefined ? {} : { namespace }),
});

describe('an inventory', () => {
  const fleet = {
    apiVersion: 'x.example.com/v1',
    kind: 'Fleet',
    metadata: { name: 'all', namespace: 'home' },
  } as KubeObject;

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

  it.each(['a:b', 'a_b', '_a', 'a_b:c', 'a::b'])('tells the name %s', (name) => {
    const given = ref(name, undefined, 'rbac.authorization.k8s.io/v1', 'ClusterRole');
    expect(inventoryOf({ status: { inventory: inventoryFor(fleet, [given]) } } as never)).toEqual([given]);
  });

  it.each(['a__b', 'a_:b'])('that cannot tell the name %s is refused, since nobody would find it again', (name) => {
    const given = ref(name, undefined, 'rbac.authorization.k8s.io/v1', 'ClusterRole');
    expect(() => inventoryFor(fleet, [given])).toThrow(InventoryNameError);
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

  const many = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      ref(`fleet-member-${index}`, `team-${index % 40}`, 'apps/v1', 'Deployment'),
    );
  it.each([0, 1, 500])('of %d is a list that people can read', (count) => {
    const inventory = inventoryFor(fleet, many(count));
    expect(inventory.entries).toHaveLength(count);
    expect(inventoryOf({ status: { inventory } } as never)).toEqual(many(count));
  });

  it.each([501, 20_000])('of %d is packed, in the order in which they were made', (count) => {
    const inventory = inventoryFor(fleet, many(count));
    expect(Object.keys(inventory)).toEqual(['packed']);
    expect(inventoryOf({ status: { inventory } } as never)).toEqual(many(count));
    expect(inventory.packed!.length).toBeLessThan(count * 15);
  });

  it('that no status can hold is refused', () => {
    const unlike = Array.from({ length: 9000 }, () => ref(randomBytes(100).toString('hex'), 'a'));
    expect(() => inventoryFor(fleet, unlike)).toThrow(InventoryError);
    expect(() => inventoryFor(fleet, unlike)).toThrow(
      'Fleet/home/all cannot have 9000 children outside of its namespace: their inventory is too long for its status',
    );
  });

  it.each(['no base64 of ours', Buffer.from('text').toString('base64')])(
    'that is packed as "%s" is not taken for an empty one',
    (packed) => {
      expect(() => inventoryOf({ ...fleet, status: { inventory: { packed } } } as never)).toThrow(
        'status.inventory.packed of Fleet/home/all cannot be read',
      );
    },
  );

  // Read to its end each of these would hold everybody up, for minutes where there is more of the same.
  describe('whose few bytes say very much is read no further than there can be children', () => {
    const read = (text: string) => {
      const packed = gzipSync(text, { level: 9 }).toString('base64');
      return inventoryOf({ ...fleet, status: { inventory: { packed } } } as never);
    };
    it.each([
      ['lines', '\n'.repeat(100_000)],
      ['entries', 'v1 a_b__ConfigMap\n'.repeat(100_000)],
      ['bytes', 'v1 a_b__ConfigMap\nv1 '.padEnd(33 * 1024 * 1024, 'x')],
    ])('for too many %s', (_, text) => {
      expect(() => read(text)).toThrow('status.inventory.packed of Fleet/home/all cannot be read');
    });

    it('for a name that nothing can have', () => {
      const long = `v1 a_${'_'.repeat(1_000_000)}_ConfigMap`;
      expect(read(`v1 a_b__ConfigMap\n${long}`)).toEqual([ref('b', 'a')]);
    });
  });

  it('of more than can be read again is refused, however alike they are', () => {
    const alike = Array.from({ length: 100_001 }, () => ref('b', 'a'));
    expect(() => inventoryFor(fleet, alike)).toThrow('cannot have 100001 children outside of its namespace');
  });

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
