import { describe, expect, it } from '@jest/globals';
import { placeOf, refOf } from '../../src/kube/object-ref.js';

describe('the place of an object', () => {
  it.each([
    [
      { name: 'cache', namespace: 'team' },
      { name: 'cache', namespace: 'team' },
    ],
    [{ name: 'cache' }, { name: 'cache' }],
    [{ name: 'cache', namespace: undefined }, { name: 'cache' }],
    [
      { name: 'cache', namespace: 'team', uid: 'b1e2' },
      { name: 'cache', namespace: 'team' },
    ],
  ])('of %j is %j', (of, place) => {
    expect(placeOf(of)).toStrictEqual(place);
  });

  it('is part of its ref', () => {
    const metadata = { name: 'team', uid: 'b1e2', resourceVersion: '1' };
    expect(refOf({ apiVersion: 'v1', kind: 'Namespace', metadata })).toStrictEqual({
      apiVersion: 'v1',
      kind: 'Namespace',
      name: 'team',
    });
  });
});
