import { describe, expect, it } from '@jest/globals';
import { type Bond, rebound } from '../../src/drift/bond.js';
import { appliedHash, outdated } from '../../src/drift/hash.js';
import { removal } from '../../src/kube/removal.js';
import { stored } from './an-object.js';

const reference = {
  apiVersion: 'example.com/v1',
  kind: 'Cache',
  name: 'cache',
  uid: 'owner-1',
  controller: true,
  blockOwnerDeletion: true,
};
const another = { apiVersion: 'v1', kind: 'Pod', name: 'beside', uid: 'other' };
const labels = { 'example.com/owner-uid': 'owner-1' };
const bond: Bond = { reference, labels, namespace: 'prod', isOutlived: false };
const child = (metadata: object) =>
  stored({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', namespace: 'prod' } }, [], {
    labels: { team: 'blue' },
    annotations: { note: 'kept' },
    ...metadata,
  });
const annotations = { note: 'kept', [appliedHash]: outdated };

describe('a child that stays, though nobody composes it', () => {
  it('is bound by labels in place of the reference where it is to outlive its owner, and keeps other owners', () => {
    const bound = child({ ownerReferences: [another, reference] });
    expect(rebound(bound, { ...bond, isOutlived: true })).toEqual({
      labels: { team: 'blue', ...labels },
      annotations,
      ownerReferences: [another],
    });
  });

  it('is bound by the reference in place of labels where it is to go with its owner, and keeps other owners', () => {
    const bound = child({ labels: { team: 'blue', ...labels }, ownerReferences: [another] });
    expect(rebound(bound, bond)).toEqual({
      labels: { team: 'blue' },
      annotations,
      ownerReferences: [another, reference],
    });
  });

  it('has one reference to its owner, where one was there that controls nothing', () => {
    const { controller: _, ...loose } = reference;
    expect(rebound(child({ ownerReferences: [loose] }), bond)?.ownerReferences).toEqual([reference]);
  });

  it('is bound everywhere by a reference to what is in no namespace', () => {
    expect(rebound(child({ namespace: 'elsewhere' }), { ...bond, namespace: undefined })?.ownerReferences).toEqual([
      reference,
    ]);
  });

  it.each([
    ['has its reference', { ownerReferences: [reference] }, {}],
    ['is in another namespace, where no reference reaches', { namespace: 'elsewhere' }, {}],
    ['says that it outlives its owner', { annotations: { [removal]: 'orphan' } }, {}],
    ['is to outlive its owner, and has no reference', {}, { isOutlived: true }],
  ])('is left as it is where it %s', (_, metadata, rest) => {
    expect(rebound(child(metadata), { ...bond, ...rest })).toBeUndefined();
  });
});
