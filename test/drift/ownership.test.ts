import { describe, expect, it } from '@jest/globals';
import { foldedEntries, ownershipOf } from '../../src/drift/ownership.js';
import type { ManagedFieldsEntry } from '../../src/kube/manifest.js';
import { entry, fieldsOf, stored } from './an-object.js';

const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { x: '1', y: '2' } };
const ours = entry('us', 'Apply', ['f:data f:x', 'f:data f:y']);
const theirs = entry('them', 'Update', ['f:data f:z']);
const writes = (entries: readonly ManagedFieldsEntry[], metadata = {}) =>
  ownershipOf(stored(manifest, entries, metadata), 'us').writes;

describe('the writes under our name', () => {
  it.each<[string, readonly ManagedFieldsEntry[]]>([
    ['another writes fields of their own', [ours, theirs]],
    ['another writes status', [ours, entry('them', 'Update', ['f:status'], { subresource: 'status' })]],
    ['we write status', [ours, entry('us', 'Apply', ['f:status f:ready'], { subresource: 'status' })]],
    ['another comes to own the same with the same value', [ours, entry('them', 'Apply', ['f:data f:x'])]],
    ['a field was taken from us', [entry('us', 'Apply', ['f:data f:x']), entry('them', 'Update', ['f:data f:y'])]],
  ])('are the same when %s', (_, entries) => {
    expect(writes(entries, { resourceVersion: '9' })).toBe(writes([ours]));
  });

  it.each<[string, readonly ManagedFieldsEntry[]]>([
    ['all was taken from us', [theirs]],
    ['somebody applied under our name', [{ ...ours, time: '2026-01-01T00:00:01Z' }]],
    ['somebody updated under our name', [ours, entry('us', 'Update', ['f:data f:x'])]],
  ])('are others when %s', (_, entries) => {
    expect(writes(entries)).not.toBe(writes([ours]));
  });

  it('are others for another object of the same name', () => {
    expect(writes([ours], { uid: 'later' })).not.toBe(writes([ours]));
  });

  it('are none for an object whose managed fields were reset', () => {
    expect(
      ownershipOf({ ...stored(manifest), metadata: { name: 'a', uid: 'u', resourceVersion: '1' } }, 'us').fields,
    ).toEqual([]);
  });

  const post = (time: string) => entry('us', 'Update', ['f:data f:x'], { time });
  const noted = (operation: 'Update' | 'Apply') =>
    entry('us', operation, ['f:metadata f:annotations f:kilter.dev/applied-hash', 'f:data f:x']);
  const creationTimestamp = '2026-01-01T00:00:00Z';
  it.each<[string, readonly ManagedFieldsEntry[], boolean]>([
    ['the POST that created it', [post('2026-01-01T00:00:00Z')], false],
    ['the POST, which the server dated before the object', [post('2025-12-31T23:59:59Z')], false],
    ['an update since the POST', [post('2026-01-01T00:00:01Z')], true],
    ['the POST and our apply', [post('2026-01-01T00:00:00Z'), { ...ours, time: '2026-01-01T00:00:09Z' }], false],
    ['an update after our apply', [post('2026-01-01T00:00:10Z'), { ...ours, time: '2026-01-01T00:00:09Z' }], true],
    ['the POST with our note, and an apply without', [noted('Update'), ours], true],
    ['the POST, and an apply with our note', [post('2026-01-01T00:00:00Z'), noted('Apply')], false],
    ['our note in both', [noted('Update'), noted('Apply')], false],
    ['our apply alone', [ours], false],
    ['nothing', [], false],
  ])('with %s show by themselves that somebody else made them: %#', (_, entries, is) => {
    expect(ownershipOf(stored(manifest, entries, { creationTimestamp }), 'us').isOverwritten).toBe(is);
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

  describe('after somebody reset the managed fields', () => {
    const nobodys = (...fields: readonly string[]) => entry('before-first-apply', 'Update', fields);

    it('takes what is ours from the entry of nobody in particular, and leaves what others added', () => {
      const all = nobodys('f:data f:x', 'f:data f:y', 'f:data f:theirs', 'f:l k:{"n":1} .', 'f:l k:{"n":1} f:v');
      const own = entry('us', 'Apply', ['f:data f:x', 'f:data f:y', 'f:l k:{"n":1} f:v', 'f:l k:{"n":1} .']);
      expect(folded(own, all)).toEqual([own, nobodys('f:data f:theirs')]);
    });

    it('does away with an entry of which nothing is left', () => {
      expect(folded(ours, nobodys('f:data f:x'))).toEqual([ours]);
    });

    it('does away with a map of which nothing but itself is left, which the server would write in another way', () => {
      expect(folded(ours, nobodys('f:data .', 'f:data f:x', 'f:data f:y'))).toEqual([ours]);
      const more = nobodys('f:data .', 'f:data f:x', 'f:data f:theirs');
      expect(folded(ours, more)).toEqual([ours, nobodys('f:data .', 'f:data f:theirs')]);
    });

    it('takes what is ours from all such entries, also from that of those whom the server has forgotten', () => {
      const forgotten = (fields: readonly string[], apiVersion = 'v1') =>
        entry('ancient-changes', 'Update', fields, { apiVersion });
      const others = [forgotten(['f:data f:x', 'f:data f:theirs']), forgotten(['f:data f:y'], 'v1beta1')];
      expect(folded(ours, theirs, ...others, nobodys('f:data f:x'))).toEqual([
        ours,
        theirs,
        forgotten(['f:data f:theirs']),
      ]);
      expect(folded(ours, forgotten(['f:data f:theirs']))).toBeUndefined();
      expect(folded(...others)).toBeUndefined();
    });

    it('does nothing before we own anything', () => {
      expect(folded(nobodys('f:data f:x'))).toBeUndefined();
      expect(folded(entry('us', 'Apply', ['f:data f:x']), nobodys('f:data f:theirs'))).toBeUndefined();
    });
  });

  it('keeps a list item a member of its list when one side has it whole', () => {
    const whole = entry('us', 'Update', ['f:l k:{"n":1}']);
    const parts = entry('us', 'Apply', ['f:l k:{"n":1} f:v']);
    expect(folded(parts, whole)?.[0]?.fieldsV1).toEqual(fieldsOf(['f:l k:{"n":1} .', 'f:l k:{"n":1} f:v']));
  });
});
