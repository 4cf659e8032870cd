import { expect, it } from '@jest/globals';
import { ownersByScale, ownersOfScale } from '../../../src/embedded/fields/scale-ownership.js';
import type { ManagedFieldsEntry } from '../../../src/kube/manifest.js';

const pathIn = (version: string) =>
  version === 'apps/v1' ? ['f:spec', 'f:replicas'] : version === 'apps/v2' ? null : undefined;
const entry = (manager: string, more: Partial<ManagedFieldsEntry>): ManagedFieldsEntry => ({
  manager,
  operation: 'Update',
  apiVersion: 'apps/v1',
  fieldsType: 'FieldsV1',
  time: '2020-01-01T00:00:00Z',
  fieldsV1: { 'f:spec': { 'f:replicas': {}, 'f:paused': {} } },
  ...more,
});
const ofScale = { apiVersion: 'autoscaling/v1', fieldsV1: { 'f:spec': { 'f:replicas': {} } } };

it('says of a Scale who owns the replicas of the object', () => {
  const entries = [
    entry('alice', {}),
    entry('bob', { fieldsV1: { 'f:spec': { 'f:paused': {} } } }),
    entry('carol', { apiVersion: 'apps/v2' }),
  ];
  expect(ownersOfScale(entries, pathIn)).toEqual([entry('alice', ofScale)]);
});

it('takes the replicas from whom the Scale no longer has, and gives them to who wrote it', () => {
  const scale = [entry('bob', { ...ofScale, subresource: 'scale' })];
  expect(ownersByScale([entry('alice', {})], scale, 'apps/v1', pathIn)).toEqual(
    [
      { ...entry('bob', { subresource: 'scale', fieldsV1: ofScale.fieldsV1 }), time: undefined },
      entry('alice', { fieldsV1: { 'f:spec': { 'f:paused': {} } } }),
    ].map((each) => JSON.parse(JSON.stringify(each)) as unknown),
  );
});

it('keeps who applies, whatever the version', () => {
  const before = [entry('alice', { operation: 'Apply' })];
  const scale = [entry('alice', { operation: 'Apply', ...ofScale })];
  expect(ownersByScale(before, scale, 'apps/v1', pathIn)).toEqual(before);
});

it('forgets who wrote a version that nobody knows', () => {
  expect(ownersByScale([entry('alice', { apiVersion: 'apps/v0' })], undefined, 'apps/v1', pathIn)).toBeUndefined();
});
