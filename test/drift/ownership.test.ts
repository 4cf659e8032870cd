import { describe, expect, it } from '@jest/globals';
import { foldedEntries, ownershipOf } from '../../src/drift/ownership.js';
import type { ManagedFieldsEntry } from '../../src/kube/manifest.js';
import { entry, fieldsOf, stored } from './an-object.js';

const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { x: '1', y: '2' } };
const ours = entry('us', 'Apply', ['f:data f:x', 'f:data f:y']);
const theirs = entry('them', 'Update', ['f:data f:z']);
const fingerprint = (entries: readonly ManagedFieldsEntry[], metadata = {}) =>
  ownershipOf(stored(manifest, entries, metadata), 'us').fingerprint;

describe('the fingerprint of ownership', () => {
  it.each<[string, readonly ManagedFieldsEntry[]]>([
    ['another writes fields of their own', [ours, theirs]],
    ['another writes status', [ours, entry('them', 'Update', ['f:status'], { subresource: 'status' })]],
    ['we write status', [ours, entry('us', 'Apply', ['f:status f:ready'], { subresource: 'status' })]],
    ['another comes to own the same with the same value', [ours, entry('them', 'Apply', ['f:data f:x'])]],
  ])('stays when %s', (_, entries) => {
    expect(fingerprint(entries, { resourceVersion: '9' })).toBe(fingerprint([ours]));
  });

  it.each<[string, readonly ManagedFieldsEntry[]]>([
    ['a field was taken from us', [entry('us', 'Apply', ['f:data f:x']), entry('them', 'Update', ['f:data f:y'])]],
    ['all was taken from us', [theirs]],
    ['somebody applied under our name', [{ ...ours, time: '2026-01-01T00:00:01Z' }]],
    ['somebody updated under our name', [ours, entry('us', 'Update', ['f:data f:x'])]],
  ])('moves when %s', (_, entries) => {
    expect(fingerprint(entries)).not.toBe(fingerprint([ours]));
  });

  it('is another for another object of the same name', () => {
    expect(fingerprint([ours], { uid: 'later' })).not.toBe(fingerprint([ours]));
  });

  it('is there for an object whose managed fields were reset', () => {
    expect(
      ownershipOf({ ...stored(manifest), metadata: { name: 'a', uid: 'u', resourceVersion: '1' } }, 'us').fields,
    ).toEqual([]);
  });
});

describe('folding the entry of the POST into that of the apply', () => {
  const folded = (...entries: readonly ManagedFieldsEntry[]) => foldedEntries(stored(manifest, entries), 'us');

  it.each<[string, readonly ManagedFieldsEntry[]]>([
    ['there is no entry of a POST', [ours]],
    ['only others made updates', [ours, theirs]],
    ['our update is one of status', [ours, entry('us', 'Update', ['f:status'], { subresource: 'status' })]],
  ])('does nothing when %s', (_, entries) => {
    expect(folded(...entries)).toBeUndefined();
  });

  it('makes one Apply entry of both', () => {
    const post = entry('us', 'Update', ['f:data f:x', 'f:data f:dropped']);
    expect(folded(ours, post)).toEqual([entry('us', 'Apply', ['f:data f:x', 'f:data f:y', 'f:data f:dropped'])]);
  });

  it('turns the entry of the POST into an Apply entry when nothing was applied yet', () => {
    expect(folded(entry('us', 'Update', ['f:data f:x']))).toEqual([entry('us', 'Apply', ['f:data f:x'])]);
  });

  it('leaves the entries of others as they are', () => {
    const status = entry('us', 'Apply', ['f:status f:ready'], { subresource: 'status' });
    expect(folded(theirs, entry('us', 'Update', ['f:data f:x']), status)?.slice(1)).toEqual([theirs, status]);
  });

  it('keeps a list item a member of its list when one side has it whole', () => {
    const whole = entry('us', 'Update', ['f:l k:{"n":1}']);
    const parts = entry('us', 'Apply', ['f:l k:{"n":1} f:v']);
    expect(folded(parts, whole)?.[0]?.fieldsV1).toEqual(fieldsOf(['f:l k:{"n":1} .', 'f:l k:{"n":1} f:v']));
  });
});
