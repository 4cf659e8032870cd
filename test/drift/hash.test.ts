import { describe, expect, it } from '@jest/globals';
import { appliedHash, hashOf, withAppliedHash } from '../../src/drift/hash.js';
import type { Manifest } from '../../src/kube/manifest.js';

const manifest: Manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { x: '1', y: '2' } };

describe('the hash of a manifest', () => {
  it.each([
    ['the order of keys', { kind: 'ConfigMap', data: { y: '2', x: '1' }, metadata: { name: 'a' }, apiVersion: 'v1' }],
    ['a field that is undefined', { ...manifest, data: { x: '1', y: '2', z: undefined } }],
  ])('does not see %s', (_, same) => {
    expect(hashOf(same as Manifest)).toBe(hashOf(manifest));
  });

  it.each([
    ['a value', { ...manifest, data: { x: '1', y: '3' } }],
    ['a type', { ...manifest, data: { x: 1, y: '2' } }],
    ['a key', { ...manifest, data: { x: '1', z: '2' } }],
    ['a field that goes', { ...manifest, data: { x: '1' } }],
    ['a null', { ...manifest, data: { x: '1', y: null } }],
    ['the order of a list', { ...manifest, data: { x: ['1', '2'], y: '2' } }],
  ])('sees %s', (_, other) => {
    const before = { ...manifest, data: { x: ['2', '1'], y: '2' } };
    expect(hashOf(other as Manifest)).not.toBe(hashOf(manifest));
    expect(hashOf(other as Manifest)).not.toBe(hashOf(before));
  });

  it('tells texts apart that only look alike when they are joined', () => {
    const of = (data: object) => hashOf({ ...manifest, data });
    expect(of({ 'a":"b","c': 'd' })).not.toBe(of({ a: 'b', c: 'd' }));
    expect(of({ a: ['b,c'] })).not.toBe(of({ a: ['b', 'c'] }));
  });

  it('is the same in every release, since objects in clusters carry it', () => {
    expect(hashOf(manifest)).toBe('h_6h5Qoyx5yxpsXWze2yXQ');
  });

  it('fits into an annotation beside those that are there, and leaves the manifest alone', () => {
    const annotated = { ...manifest, metadata: { name: 'a', annotations: { note: 'kept' } } };
    const sent = withAppliedHash(annotated, 'h');
    expect(sent.metadata.annotations).toEqual({ note: 'kept', [appliedHash]: 'h' });
    expect(annotated.metadata.annotations).toEqual({ note: 'kept' });
  });
});
