import { expect, it } from '@jest/globals';
import { appliedHash } from '../../src/drift/hash.js';
import { releasedMetadata } from '../../src/drift/released.js';
import { ownerReferences, stored } from './an-object.js';

const other = { apiVersion: 'v1', kind: 'Pod', name: 'o', uid: 'other' };
const labels = {
  team: 'blue',
  'example.com/owner-name': 'cache',
  'example.com/owner-uid': 'owner-1',
  'example.com/kept': 'x',
};
const child = stored({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } }, [], {
  labels,
  annotations: { [appliedHash]: 'x', note: 'kept' },
  ownerReferences: [...ownerReferences, other],
});

it('a child that is let go keeps all but what says whose it was', () => {
  expect(releasedMetadata(child, { uid: 'owner-1', uidLabel: 'example.com/owner-uid' })).toEqual({
    labels: { team: 'blue', 'example.com/kept': 'x' },
    annotations: { note: 'kept' },
    ownerReferences: [other],
  });
});

it('a child that no label bound keeps its labels', () => {
  expect(releasedMetadata(child, { uid: 'owner-1' }).labels).toEqual(labels);
});
